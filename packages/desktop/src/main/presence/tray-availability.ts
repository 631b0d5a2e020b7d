import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const WATCHER_NAME = 'org.kde.StatusNotifierWatcher';
const BUS = { name: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' };
const QUERY_TIMEOUT_MS = 2_000;

/** Commands that query the session bus; most desktops have at least one of them. */
const QUERY_COMMANDS: readonly (readonly [command: string, ...args: string[]])[] = [
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
    WATCHER_NAME,
  ],
  ['busctl', '--user', 'call', BUS.name, BUS.path, BUS.name, 'NameHasOwner', 's', WATCHER_NAME],
  [
    'dbus-send',
    '--session',
    '--print-reply=literal',
    `--dest=${BUS.name}`,
    BUS.path,
    `${BUS.name}.NameHasOwner`,
    `string:${WATCHER_NAME}`,
  ],
];

/** Availability of a tray. `never`: it cannot become available later. */
export type TrayAvailability = 'there' | 'not-yet' | 'never';

/**
 * Finds out whether this desktop shows tray icons. macOS and Windows do; some Linux desktops do not (GNOME without an
 * extension), and a window hidden there would be unreachable. If this cannot be determined, the result is `never`.
 */
export async function checkTrayAvailability(): Promise<TrayAvailability> {
  if (process.platform !== 'linux') return 'there';
  // Without a bus, the commands would start one.
  if (
    process.env['DBUS_SESSION_BUS_ADDRESS'] === undefined &&
    !existsSync(join(process.env['XDG_RUNTIME_DIR'] ?? '/nowhere', 'bus'))
  )
    return 'never';
  for (const [command, ...args] of QUERY_COMMANDS) {
    const isAvailable = await queryTrayAvailability(command, args);
    if (isAvailable !== undefined) return isAvailable ? 'there' : 'not-yet';
  }
  return 'never';
}

function queryTrayAvailability(command: string, args: readonly string[]): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: QUERY_TIMEOUT_MS, maxBuffer: 10_000 }, (error, stdout) =>
      resolve(error === null ? /\btrue\b/.test(stdout) : undefined),
    );
  });
}
