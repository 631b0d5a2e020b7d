import type { CountersignBridge } from '../../common/bridge.js';

declare global {
  interface Window {
    readonly countersign: CountersignBridge;
  }
}

/** The methods and events of the main process that are available to this window. */
export const bridge: CountersignBridge = window.countersign;
