import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rename } from 'node:fs/promises';
import { rolldown, type Plugin } from 'rolldown';
import { SERVER_PROCESS } from './server-child.spec.support.js';

/** Each module goes on to find what lies beside it (workers, policies, its package.json) from where it was built. */
const STAYS_WHERE_IT_IS: Plugin = {
  name: 'stays-where-it-is',
  transform(code, id) {
    if (!/\bimport\.meta\.url\b|\b__dirname\b/.test(code)) return null;
    const path = JSON.stringify(dirname(id));
    return code
      .replaceAll(/\bimport\.meta\.url\b/g, () => JSON.stringify(pathToFileURL(id).href))
      .replaceAll(/\b__dirname\b/g, () => path);
  },
};

let packed: Promise<string> | undefined;

/**
 * The server process of the recovery specs, with all that it loads, in one file: finding, reading and compiling some 2,000
 * modules is most of what a start costs, and these specs start a server again after every kill. It is the same code, made
 * again by every process that runs specs; the other specs start the modules themselves.
 *
 * @returns the file, to be started instead of {@link SERVER_PROCESS}
 */
export function packedServer(): Promise<string> {
  return (packed ??= pack());
}

async function pack(): Promise<string> {
  const name = fileURLToPath(new URL('./server-process.packed', import.meta.url));
  const fresh = `${name}.${process.pid}.mjs`;
  // Dialects of databases that nobody has installed are not found, and not missed.
  const bundle = await rolldown({
    input: SERVER_PROCESS,
    platform: 'node',
    logLevel: 'silent',
    plugins: [STAYS_WHERE_IT_IS],
  });
  try {
    // Comments would be read at every start. What is not minified can be found again by a line of a stack trace.
    await bundle.write({ file: fresh, format: 'esm', codeSplitting: false, comments: false });
  } finally {
    await bundle.close();
  }
  await rename(fresh, `${name}.mjs`); // at once, as others may be starting it
  return `${name}.mjs`;
}
