/** Files that the browser saves. */

/** Lets the browser save a text, given in parts, as a PGN file. */
export function download(parts: BlobPart[], name: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type: 'application/x-chess-pgn' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the address by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
