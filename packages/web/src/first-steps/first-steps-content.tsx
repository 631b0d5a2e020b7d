import { FirstStepsBar } from './first-steps-bar.js';
import type { FirstStepsProgress } from './first-steps-store.js';
import { StartExample } from './start-example.js';
import './first-steps.css';

/** The card that starts an example, or the bar that guides through its run. */
export function FirstStepsContent({ progress }: { readonly progress: FirstStepsProgress | undefined }) {
  return progress?.kind === 'run' ? <FirstStepsBar key={progress.runId} runId={progress.runId} /> : <StartExample />;
}
