import { globalShortcut } from 'electron';
import type { PresenceState } from '../../common/presence.js';

/** Global shortcut that opens the window and does nothing else. */
export class OpenShortcut {
  private keys: string | null = null;
  private shortcutState: PresenceState['shortcut'] = 'off';

  constructor(private readonly open: () => void) {}

  get status(): PresenceState['shortcut'] {
    return this.shortcutState;
  }

  /** @param keys in Electron's notation; `null`: none */
  set(keys: string | null): void {
    if (keys === this.keys && this.shortcutState !== 'taken') return;
    if (this.keys !== null && this.shortcutState === 'registered') globalShortcut.unregister(this.keys);
    this.keys = keys;
    this.shortcutState = keys === null ? 'off' : globalShortcut.register(keys, this.open) ? 'registered' : 'taken';
  }
}
