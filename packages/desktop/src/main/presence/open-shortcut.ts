import { globalShortcut } from 'electron';
import type { PresenceState } from '../../common/presence.js';

/** Global shortcut that opens the window and does nothing else. */
export class OpenShortcut {
  private keys: string | null = null;
  private state: PresenceState['shortcut'] = 'off';

  constructor(private readonly open: () => void) {}

  get status(): PresenceState['shortcut'] {
    return this.state;
  }

  /** @param keys in Electron's notation; `null`: none */
  set(keys: string | null): void {
    if (keys === this.keys && this.state !== 'taken') return;
    if (this.keys !== null && this.state === 'registered') globalShortcut.unregister(this.keys);
    this.keys = keys;
    this.state = keys === null ? 'off' : globalShortcut.register(keys, this.open) ? 'registered' : 'taken';
  }
}
