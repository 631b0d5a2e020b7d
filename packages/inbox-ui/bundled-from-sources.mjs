import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('./src/', import.meta.url));

/** For Vite, as `resolve.alias`: bundles are made of the sources of this package, which the development server replaces in place. */
export const bundledFromSources = [
  { find: /^@countersign\/inbox-ui$/, replacement: `${sources}index.ts` },
  { find: /^@countersign\/inbox-ui\//, replacement: sources },
  { find: /^#jsx\/([a-z-]+)$/, replacement: `${sources}jsx/$1.ts` },
];
