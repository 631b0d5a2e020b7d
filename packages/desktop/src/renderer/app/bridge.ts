import type { CountersignBridge } from '../../common/bridge.js';

declare global {
  interface Window {
    readonly countersign: CountersignBridge;
  }
}

/** The part of the main process that is available to this window. */
export const bridge: CountersignBridge = window.countersign;
