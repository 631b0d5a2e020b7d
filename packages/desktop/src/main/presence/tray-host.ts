import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const WATCHER = 'org.kde.StatusNotifierWatcher';
const BUS = { name: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' };
const PATIENCE_MS = 2_000;

/** Commands that query the session bus; most desktops have at least one of them. */
const ASKS: readonly (readonly [command: string, ...args: string[]])[] = [
  [
    'gdbus',
    'call',
    '--session',
    '--dest',
    BUS.name,
    '--object-path',
    BUS.path,
    '--method',
    `${BUS.name}.NameHasOwner`,
    WATCHER,
  ],
  ['busctl', '--user', 'call', BUS.name, BUS.path, BUS.name, 'NameHasOwner', 's', WATCHER],
  [
    'dbus-send',
    '--session',
    '--print-reply=literal',
    `--dest=${BUS.name}`,
    BUS.path,
    `${BUS.name}.NameHasOwner`,
    `string:${WATCHER}`,
  ],
];

/** `never`: nothing that starts later can change it. */
export type TrayHost = 'there' | 'not-yet' | 'never';

/**
 * Returns whether this desktop shows tray icons. macOS and Windows do; some Linux desktops do not (GNOME without an
 * extension), and a window hidden there would be unreachable. An unknown result counts as no.
 */
export async function trayHost(): Promise<TrayHost> {
  if (process.platform !== 'linux') return 'there';
  // Without a bus, the commands would start one.
  if (
    process.env['DBUS_SESSION_BUS_ADDRESS'] === undefined &&
    !existsSync(join(process.env['XDG_RUNTIME_DIR'] ?? '/nowhere', 'bus'))
  )
    return 'never';
  for (const [command, ...args] of ASKS) {
    const answer = await ask(command, args);
    if (answer !== undefined) return answer ? 'there' : 'not-yet';
  }
  return 'never';
}

function ask(command: string, args: readonly string[]): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: PATIENCE_MS, maxBuffer: 10_000 }, (error, stdout) =>
      resolve(error === null ? /\btrue\b/.test(stdout) : undefined),
    );
  });
}
