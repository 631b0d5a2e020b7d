import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { NO_CHANCE, skipWithReason } from './eslint.tests.js';
import { ONLY_IN_TEXTS } from './eslint.texts.js';

const EVERYWHERE = [
  { selector: 'TSEnumDeclaration', message: 'Use a frozen constant and a derived type.' },
  { selector: "CallExpression[callee.name='eval']", message: 'Data is never code.' },
  { selector: "NewExpression[callee.name='Function']", message: 'Data is never code.' },
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/bundle/**',
      '**/.bundle-*/**',
      'packages/desktop/app/**',
      'packages/desktop/out/**',
      '**/node_modules/**',
      'data/**',
      '**/*.generated.*',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    languageOptions: { globals: { ...globals.node }, parserOptions: { projectService: false } },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-syntax': ['error', ...EVERYWHERE],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'vm', message: 'Data is never code.' },
            { name: 'node:vm', message: 'Data is never code.' },
          ],
        },
      ],
      'eqeqeq': 'error',
    },
  },
  {
    files: ['packages/web/src/**', 'packages/desktop/src/renderer/**', 'scripts/screenshots/**'],
    languageOptions: { globals: { ...globals.browser } },
  },
  {
    files: ['packages/web/src/**', 'packages/desktop/src/renderer/**'],
    ignores: [
      'packages/web/src/texts/**',
      'packages/desktop/src/renderer/app/texts.ts',
      'packages/desktop/src/renderer/signing/signing-texts.ts',
      '**/*.spec.ts',
      '**/*.spec.support.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE, ...ONLY_IN_TEXTS] },
  },
  {
    files: [
      'test/src/web/**',
      'test/src/desktop/**',
      'test/src/end-to-end/**',
      'bench/src/web/**',
      'bench/src/desktop/**',
    ],
    languageOptions: { globals: { ...globals.browser } },
  },
  // Code of the fall-back Electron's main process, which is older than modules there.
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs' },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    languageOptions: { globals: { ...globals.mocha } },
    rules: { '@typescript-eslint/no-unused-expressions': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['**/*.spec.ts', '**/*.spec.tsx', '**/*.spec.support.ts', 'test/src/**', 'packages/testing/src/**'],
    plugins: { tests: { rules: { 'skip-with-reason': skipWithReason } } },
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE, ...NO_CHANCE], 'tests/skip-with-reason': 'error' },
  },
);
