import js from '@eslint/js';
import globals from 'globals';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { BUILT } from './eslint.built.js';
import { NO_CHANCE, skipWithReason } from './eslint.tests.js';
import { ONLY_IN_TEXTS } from './eslint.texts.js';
import { words } from './eslint.words.js';

const IS_WELL_FORMED = {
  property: 'isWellFormed',
  message: 'Chromium 108 and the oldest Electron lack it: use isWellFormed() of is-well-formed.ts.',
};

const EVERYWHERE = [
  { selector: 'TSEnumDeclaration', message: 'Use a frozen constant and a derived type.' },
  { selector: "CallExpression[callee.name='eval']", message: 'Do not execute data as code.' },
  { selector: "NewExpression[callee.name='Function']", message: 'Do not execute data as code.' },
  // A plugin may contain another copy of @countersign/core, with different class objects
  // (packages/model/src/errors/brand.ts).
  ...[
    "BinaryExpression[operator='instanceof'][right.name=/^(ApiError|BpmnError|EngineConflict|HostStartError|ModelError|ModelRefusedError|OutboundHttpError|RetryableFailure|Secret|SettingsTestFailure|StartupError|TerminalFailure|ToolError)$/]",
    "CallExpression[callee.object.name='z'][callee.property.name='instanceof']",
  ].map((selector) => ({
    selector,
    message:
      'instanceof fails for classes of a second copy of @countersign/core. Use the guard next to the class, for example isApiError().',
  })),
];

const INFERRED_QUERY = {
  selector:
    ':function > TSTypeAnnotation.returnType > TSTypeReference[typeName.name=/^Use\\w*(?:Query|Mutation)Result$/]',
  message:
    'TypeScript would not check the data against this type. Write the type of the data at the call instead: useQuery<T>(…).',
};

export default tseslint.config(
  { ignores: BUILT },
  js.configs.recommended,
  ...tseslint.configs.strict,
  { ignores: ['**/*.spec.ts', '**/*.spec.support.ts'], plugins: { words }, rules: { 'words/glossary': 'error' } },
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
            { name: 'vm', message: 'Do not execute data as code.' },
            { name: 'node:vm', message: 'Do not execute data as code.' },
          ],
        },
      ],
      'eqeqeq': 'error',
      'object-shorthand': ['error', 'properties'],
      'no-useless-rename': 'error',
    },
  },
  {
    // The interpreter and the index of @countersign/model run in browsers. The other entry points of the model may need
    // Node.js.
    files: ['packages/model/src/**', 'packages/interpreter/src/**'],
    ignores: ['**/*.spec.ts', '**/signed-statement.ts', '**/sha256/node.ts', '**/testing/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^node:', message: 'This code also runs in browsers.' }] },
      ],
      'no-restricted-globals': [
        'error',
        ...['Buffer', 'process', 'global', 'require'].map((name) => ({
          name,
          message: 'This code also runs in browsers.',
        })),
      ],
    },
  },
  {
    files: ['packages/{inbox-ui,web}/src/**'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        IS_WELL_FORMED,
        { object: 'URL', property: 'canParse', message: 'Chromium 108 and the oldest Electron lack it.' },
      ],
    },
  },
  {
    files: ['packages/{model,contract,desktop}/src/**'],
    ignores: ['packages/model/src/is-well-formed.ts', '**/*.spec.ts'],
    rules: {
      'no-restricted-properties': ['error', IS_WELL_FORMED],
    },
  },
  {
    files: ['packages/{inbox-ui,web}/src/**', 'packages/desktop/src/renderer/**', 'scripts/screenshots/**'],
    languageOptions: { globals: { ...globals.browser } },
  },
  {
    files: ['packages/{inbox-ui,web}/src/**', 'packages/desktop/src/renderer/**'],
    ignores: [
      'packages/{inbox-ui,web}/src/texts/**',
      'packages/desktop/src/renderer/app/texts.ts',
      'packages/desktop/src/renderer/signing/signing-texts.ts',
      '**/*.spec.ts',
      '**/*.spec.support.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE, ...ONLY_IN_TEXTS, INFERRED_QUERY] },
  },
  {
    files: ['packages/web/src/**', 'packages/inbox-ui/src/**', 'packages/desktop/src/renderer/**'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
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
  // Main process code of the fallback Electron, which does not support ES modules.
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
    files: [
      '**/*.spec.ts',
      '**/*.spec.tsx',
      '**/*.spec.support.ts',
      'test/src/**',
      'packages/testing/src/**',
      'packages/model/src/testing/**',
    ],
    plugins: { tests: { rules: { 'skip-with-reason': skipWithReason } } },
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE, ...NO_CHANCE], 'tests/skip-with-reason': 'error' },
  },
);
