/**
 * The worker of the engine that the relay's Java is compiled to. Its first message is the URL of the module, and it
 * answers with the compiled module, which it can be given instead. All further messages are lines of UCI. It takes no
 * line while it searches one ply deeper.
 */

/** What the module exports: `BrowserEngine` in relay-chess. */
interface Exports {
  receive(character: number): void;
  work(): number;
}

let engine: Exports | undefined;
let answer = '';
let isWorking = false;

/** Java's functions that the engine uses; the module names more of them than it calls. */
const functions: Record<string, Record<string, (...values: never[]) => unknown>> = {
  teavmDate: { currentTimeMillis: () => Date.now() },
  teavmMath: { floor: Math.floor, random: Math.random },
  'wasm:js-string': {
    fromCharCode: (code: number) => String.fromCharCode(code),
    concat: (first: string, second: string) => first + second,
    substring: (text: string, begin: number, end: number) => text.substring(begin, end),
    charCodeAt: (text: string, index: number) => text.charCodeAt(index),
    length: (text: string) => text.length,
  },
  gambit: {
    send(character: number) {
      if (character === 10) {
        postMessage(answer);
        answer = '';
      } else {
        answer += String.fromCharCode(character);
      }
    },
  },
};

function importsOf(module: WebAssembly.Module): WebAssembly.Imports {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] =
      kind === 'memory'
        ? new WebAssembly.Memory({ initial: 64, maximum: 64 })
        : kind === 'global'
          ? new WebAssembly.Global({ value: 'i32' }, name === 'maxSize' ? 64 * 65536 : 32 * 65536)
          : (functions[from]?.[name] ?? (() => undefined));
  }
  return imports;
}

function work(): void {
  isWorking = engine?.work() === 1;
  if (isWorking) setTimeout(work);
}

async function start(source: string | WebAssembly.Module): Promise<void> {
  const module = typeof source === 'string' ? await WebAssembly.compileStreaming(fetch(source)) : source;
  engine = new WebAssembly.Instance(module, importsOf(module)).exports as unknown as Exports;
  postMessage(module);
}

onmessage = ({ data: source }: MessageEvent<string | WebAssembly.Module>) => {
  const started = start(source).catch((cause: unknown) => {
    postMessage(cause instanceof WebAssembly.CompileError ? 'too-old' : 'not-loaded');
  });
  onmessage = async ({ data: line }: MessageEvent<string>) => {
    await started;
    for (const character of `${line}\n`) engine?.receive(character.charCodeAt(0));
    if (!isWorking) work();
  };
};
