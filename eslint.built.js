/** Built and generated files. Their sources are linted instead. */
export const BUILT = [
  '**/dist/**',
  '**/bundle/**',
  'packages/server/api-docs/**',
  '**/.bundle-*/**',
  'packages/desktop/app/**',
  'packages/desktop/out/**',
  '**/node_modules/**',
  'data/**',
  '**/*.generated.*',
];
