import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('./src/', import.meta.url));

/**
 * Aliases for Vite (`resolve.alias`) that resolve this package to its sources, so that the development server can
 * replace changed modules without a reload.
 */
export const bundledFromSources = [
  { find: /^@countersign\/inbox-ui$/, replacement: `${sources}index.ts` },
  { find: /^@countersign\/inbox-ui\//, replacement: sources },
  { find: /^#jsx\/([a-z-]+)$/, replacement: `${sources}jsx/$1.ts` },
];
