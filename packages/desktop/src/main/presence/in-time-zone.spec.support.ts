import { execFileSync } from 'node:child_process';

/**
 * Calls an exported function in a process with another time zone, because a process cannot change its own after start.
 *
 * @param url URL of the module
 * @param args arguments of the function; they and the result are passed as JSON
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
