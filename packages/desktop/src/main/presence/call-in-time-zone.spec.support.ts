import { execFileSync } from 'node:child_process';

/**
 * Calls an exported function in a child process with another time zone, because a process cannot change its own time
 * zone after it has started.
 *
 * @param moduleUrl URL of the module that exports the function
 * @param args arguments of the function; they and the result are passed as JSON
 */
export function callInTimeZone(
  zone: string,
  moduleUrl: URL,
  functionName: string,
  ...args: readonly unknown[]
): unknown {
  const script = `const module = await import(${JSON.stringify(moduleUrl.href)});
    process.stdout.write(JSON.stringify(module[${JSON.stringify(functionName)}](...${JSON.stringify(args)})));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, TZ: zone },
    encoding: 'utf8',
  });
  return JSON.parse(output);
}
