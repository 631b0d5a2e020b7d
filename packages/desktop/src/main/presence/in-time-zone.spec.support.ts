import { execFileSync } from 'node:child_process';

/**
 * Calls an exported function in another process, on a machine of another time zone: a process keeps the one it began in.
 *
 * @param url of the module
 * @param args of the function, and its result: JSON
 */
export function callInTimeZone(zone: string, url: URL, name: string, ...args: readonly unknown[]): unknown {
  const script = `const module = await import(${JSON.stringify(url.href)});
    process.stdout.write(JSON.stringify(module[${JSON.stringify(name)}](...${JSON.stringify(args)})));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, TZ: zone },
    encoding: 'utf8',
  });
  return JSON.parse(output);
}
