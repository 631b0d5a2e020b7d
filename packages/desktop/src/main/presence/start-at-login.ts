import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import { desktopEntry } from './desktop-entry.js';

/** Said by the operating system at login: begin in the tray, without a window. */
export const BACKGROUND_SWITCH = '--background';

/** Whether the application starts when the person signs in to their machine. */
export interface StartAtLogin {
  isOn(): boolean;
  set(on: boolean): void;
}

export function startAtLogin(): StartAtLogin {
  return process.platform === 'linux'
    ? new AutostartFile(join(app.getPath('appData'), 'autostart', 'countersign.desktop'), commandLine())
    : loginItem;
}

const loginItem: StartAtLogin = {
  isOn: () => app.getLoginItemSettings({ args: [BACKGROUND_SWITCH] }).openAtLogin,
  set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args: [BACKGROUND_SWITCH] }),
};

/** Electron has no login items on Linux: desktops there start what has a file in `autostart` (Desktop Application Autostart Specification). */
class AutostartFile implements StartAtLogin {
  constructor(
    private readonly path: string,
    private readonly command: readonly string[],
  ) {}

  isOn(): boolean {
    try {
      // Desktops turn an entry off by a line in it.
      return !/^(?:Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(readFileSync(this.path, 'utf8'));
    } catch {
      return false;
    }
  }

  set(on: boolean): void {
    if (!on) return rmSync(this.path, { force: true });
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(this.path, desktopEntry(this.command), { mode: 0o644 });
  }
}

/** An AppImage is mounted elsewhere at each start: its own file is what is started. */
function commandLine(): readonly string[] {
  const appImage = process.env['APPIMAGE'];
  if (appImage !== undefined) return [appImage, BACKGROUND_SWITCH];
  return [process.execPath, ...(app.isPackaged ? [] : [app.getAppPath()]), BACKGROUND_SWITCH];
}
