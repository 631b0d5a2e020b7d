import type { JsonObject } from '@countersign/model';
import type { RunArtifact, RunRecord } from '../../ports/records.js';
import { artifactView, newestVersions, type ArtifactView } from './artifact-view.js';
import { runView, type RunView } from './run-view.js';
import type { StepView } from './step-view.js';

/** A run with its step history. */
export type RunDetailView = RunView & {
  inputs: JsonObject;
  variables: JsonObject;
  steps: StepView[];
  artifacts: ArtifactView[];
};

export function runDetailView(
  run: RunRecord,
  inputs: JsonObject,
  variables: JsonObject,
  steps: StepView[],
  artifacts: readonly RunArtifact[],
): RunDetailView {
  return { ...runView(run), inputs, variables, steps, artifacts: newestVersions(artifacts).map(artifactView) };
}
