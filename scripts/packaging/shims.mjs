import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/**
 * Adds what an old Electron has not (old-node.cjs) to what is packed with one. Such a package shows that packaging works; it
 * is none to be given to people.
 *
 * @param {string} project directory of what is packed
 * @returns {Promise<string>} the file that starts the application with them
 */
export async function addShims(project) {
  process.stderr.write('This Electron is old: the package is one for tests alone.\n');
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: join(project, 'app/main'),
      emptyOutDir: false,
      target: 'node16',
      minify: false,
      ssr: fileURLToPath(new URL('../electron-fall-back/old-node.cjs', import.meta.url)),
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'old-node.cjs' } },
    },
    ssr: { noExternal: true },
  });
  writeFileSync(join(project, 'app/main/start.cjs'), "require('./old-node.cjs');\nrequire('./main.cjs');\n");
  return 'app/main/start.cjs';
}
