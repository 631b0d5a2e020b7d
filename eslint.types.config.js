import tseslint from 'typescript-eslint';
import { BUILT } from './eslint.built.js';
import { noFloatingGenerators } from './eslint.generators.js';

/** Rules that need types: `npm run lint:types`, after a build. They take longer than all other rules together. */
export default tseslint.config(
  { ignores: BUILT },
  {
    files: ['{packages,packages/plugins,examples}/*/src/**/*.{ts,tsx}', '{test,bench}/src/**/*.ts'],
    languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true } },
    plugins: {
      '@typescript-eslint': tseslint.plugin,
      'countersign': { rules: { 'no-floating-generators': noFloatingGenerators } },
    },
    rules: { '@typescript-eslint/no-floating-promises': 'error', 'countersign/no-floating-generators': 'error' },
  },
);
