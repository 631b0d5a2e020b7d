import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import { buildDesktopEntry } from './desktop-entry.js';

/** Switch that the operating system passes at login, to start the application in the tray without a window. */
export const BACKGROUND_SWITCH = '--background';

/** Controls whether the application starts when the user logs in to the machine. */
export interface StartAtLogin {
  isOn(): boolean;
  set(on: boolean): void;
}

export function createStartAtLogin(): StartAtLogin {
  return process.platform === 'linux'
    ? new AutostartFile(join(app.getPath('appData'), 'autostart', 'countersign.desktop'), getCommandLine())
    : loginItem;
}

const loginItem: StartAtLogin = {
  isOn: () => app.getLoginItemSettings({ args: [BACKGROUND_SWITCH] }).openAtLogin,
  set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args: [BACKGROUND_SWITCH] }),
};

/**
 * Electron has no login items on Linux: desktops there start the entries in `autostart` (Desktop Application Autostart
 * Specification).
 */
class AutostartFile implements StartAtLogin {
  constructor(
    private readonly path: string,
    private readonly command: readonly string[],
  ) {}

  isOn(): boolean {
    try {
      // Desktops disable an entry by adding a line to it.
      return !/^(?:Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(readFileSync(this.path, 'utf8'));
    } catch {
      return false;
    }
  }

  set(on: boolean): void {
    if (!on) return rmSync(this.path, { force: true });
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(this.path, buildDesktopEntry(this.command), { mode: 0o644 });
  }
}

/**
 * Returns the command for the entry. An AppImage is mounted at a different path on each start, so the command is the
 * image file itself.
 */
function getCommandLine(): readonly string[] {
  const appImage = process.env['APPIMAGE'];
  if (appImage !== undefined) return [appImage, BACKGROUND_SWITCH];
  return [process.execPath, ...(app.isPackaged ? [] : [app.getAppPath()]), BACKGROUND_SWITCH];
}
