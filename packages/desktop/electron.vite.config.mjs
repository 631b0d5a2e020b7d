import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { fileURLToPath } from 'node:url';
import { bundleMetadata, collectLicenses } from '../../scripts/notices/bundle-metadata.mjs';
import { bundledFromSources } from '../inbox-ui/bundled-from-sources.mjs';
import { mantineStyles } from '../inbox-ui/mantine-styles.mjs';
import { bundledImageDecoder, pdfData } from '../inbox-ui/pdf-data.mjs';
import { subsetFonts } from '../inbox-ui/subset-fonts.mjs';
import { withoutCompilingValidator } from '../inbox-ui/without-compiling-validator.mjs';

const common = { ...collectLicenses, minify: false, sourcemap: false, emptyOutDir: true };
const asCommonJs = (name) => ({ format: 'cjs', entryFileNames: `${name}.cjs`, chunkFileNames: '[name].cjs' });

/**
 * Main process and preload as one CommonJS file each (a sandboxed preload can be nothing else), with all that they need
 * but Electron. The targets are the oldest Electron that the tests may have to run on.
 */
export default defineConfig({
  main: {
    plugins: [bundleMetadata()],
    build: {
      ...common,
      outDir: 'app/main',
      target: 'node16',
      externalizeDeps: false,
      rolldownOptions: { input: { main: 'src/main/main.ts' }, output: asCommonJs('main') },
    },
  },
  preload: {
    plugins: [bundleMetadata()],
    build: {
      ...common,
      outDir: 'app/preload',
      target: 'node16',
      externalizeDeps: false,
      rolldownOptions: { input: { preload: 'src/preload/preload.ts' }, output: asCommonJs('preload') },
    },
  },
  renderer: {
    root: 'src/renderer',
    base: './',
    resolve: { alias: bundledFromSources },
    plugins: [
      withoutCompilingValidator,
      mantineStyles(fileURLToPath(new URL('./src/renderer', import.meta.url))),
      subsetFonts,
      pdfData,
      react({ jsxImportSource: '#jsx' }),
      bundleMetadata(),
    ],
    worker: { plugins: () => [bundledImageDecoder] },
    build: {
      ...collectLicenses,
      outDir: 'app/renderer',
      emptyOutDir: true,
      target: 'chrome108',
      minify: 'oxc',
      assetsInlineLimit: 0, // nothing in data: URLs, as in the web UI
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 3_000,
      rolldownOptions: { input: 'src/renderer/index.html' },
    },
  },
});
