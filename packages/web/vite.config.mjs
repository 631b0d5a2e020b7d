import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Built for any path that the server is mounted under: every address in it is relative to the `<base>` of the page. */
export default defineConfig({
  base: './',
  plugins: [react()],
  build: {
    outDir: 'bundle',
    emptyOutDir: true,
    target: 'chrome108',
    assetsInlineLimit: 0, // nothing in data: URLs, so that the policy of the page need not allow them for scripts or fonts
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
  },
});
