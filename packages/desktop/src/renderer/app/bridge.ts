import type { CountersignBridge } from '../../common/bridge.js';

declare global {
  interface Window {
    readonly countersign: CountersignBridge;
  }
}

/** The main process, as much of it as this window has. */
export const bridge: CountersignBridge = window.countersign;
