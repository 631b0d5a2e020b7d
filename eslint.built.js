/** What is built or generated, and linted where it comes from. */
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
