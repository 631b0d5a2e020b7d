import { BASE_PATH } from '@countersign/inbox-ui/app/base-url';
import { Listeners } from '@countersign/inbox-ui/ui/listeners';

/** Progress of the first steps in this tab. `undefined`: not started. */
export type FirstStepsProgress = { readonly kind: 'run'; readonly runId: string } | { readonly kind: 'closed' };

/** In session storage: the first steps end with the tab. */
const STORAGE_KEY = `countersign:first-steps:${BASE_PATH}`;
const CLOSED = 'closed';

const listeners = new Listeners();

/** Subscribes to changes, for `useSyncExternalStore`. */
export const subscribeToFirstSteps = listeners.subscribe;

/** Returns the stored progress as text, which is equal as long as nothing has changed. */
export function getStoredProgress(): string | null {
  return sessionStorage.getItem(STORAGE_KEY);
}

/** @param stored text of {@link getStoredProgress} */
export function parseProgress(stored: string | null): FirstStepsProgress | undefined {
  if (stored === null) return undefined;
  return stored === CLOSED ? { kind: 'closed' } : { kind: 'run', runId: stored };
}

/** Continues the first steps with a run of an example. */
export function startFirstSteps(runId: string): void {
  store(runId);
}

/** Ends the first steps in this tab. */
export function closeFirstSteps(): void {
  store(CLOSED);
}

/** Forgets the run, so that the first steps are offered again. */
export function resetFirstSteps(): void {
  sessionStorage.removeItem(STORAGE_KEY);
  listeners.notify();
}

function store(value: string): void {
  sessionStorage.setItem(STORAGE_KEY, value);
  listeners.notify();
}
