import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { bundleMetadata, collectLicenses } from '../../scripts/notices/bundle-metadata.mjs';
import { bundledFromSources } from '../inbox-ui/bundled-from-sources.mjs';
import { app } from '../inbox-ui/src/texts/en/app.ts';
import { mantineStyles } from '../inbox-ui/mantine-styles.mjs';
import { bundledImageDecoder, pdfData } from '../inbox-ui/pdf-data.mjs';
import { subsetFonts } from '../inbox-ui/subset-fonts.mjs';
import { withoutCompilingValidator } from '../inbox-ui/without-compiling-validator.mjs';

/** What the page says before, or without, any script. */
const textsOfThePage = {
  name: 'texts-of-the-page',
  transformIndexHtml: (html) => html.replace('%NAME%', app.name).replace('%NEEDS_SCRIPT%', app.needsScript),
};

/** Built for any path that the server is mounted under: every address in it is relative to the `<base>` of the page. */
export default defineConfig({
  base: './',
  resolve: { alias: bundledFromSources },
  plugins: [
    textsOfThePage,
    withoutCompilingValidator,
    mantineStyles(fileURLToPath(new URL('./src', import.meta.url))),
    subsetFonts,
    pdfData,
    react({ jsxImportSource: '#jsx' }),
    bundleMetadata(),
  ],
  worker: { plugins: () => [bundledImageDecoder] },
  build: {
    ...collectLicenses,
    outDir: 'bundle',
    emptyOutDir: true,
    target: 'chrome108',
    assetsInlineLimit: 0, // nothing in data: URLs, so that the policy of the page need not allow them for scripts or fonts
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1600,
    rolldownOptions: {
      output: {
        // app/configure-libraries.ts runs before everything else on every page.
        codeSplitting: {
          groups: [
            {
              name: 'first',
              test: /node_modules\/get-nonce\/|\/app\/(configure-libraries|base-url)\.ts$/,
              priority: 1,
            },
            // What every page needs is one file: many small ones would cost more.
            { name: 'shell', tags: ['$initial'] },
          ],
        },
      },
    },
  },
});
