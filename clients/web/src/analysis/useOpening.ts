import { useEffect, useState } from 'preact/hooks';
import type { Opening } from './openings.js';
import type { TreeNode } from './tree.js';

type Openings = typeof import('./openings.js');

/** The name of the opening at a position of a game; the list of names is loaded first. */
export function useOpening(node: TreeNode): Opening | undefined {
  const [openings, setOpenings] = useState<Openings>();
  useEffect(() => {
    let isCurrent = true;
    // Without the list there are no names, and everything else works.
    import('./openings.js').then((loaded) => isCurrent && setOpenings(loaded), () => undefined);
    return () => {
      isCurrent = false;
    };
  }, []);
  return openings?.openingOf(node.path.map(({ fen }) => fen));
}
