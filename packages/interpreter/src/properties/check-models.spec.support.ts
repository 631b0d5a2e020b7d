import fc from 'fast-check';
import { compileWorkflows } from '@countersign/bpmn';
import type { WorkflowGraph } from '@countersign/model';
import { arbitraryModel } from './arbitrary-model.spec.support.js';
import { checkRun } from './check-run.spec.support.js';
import { arbitrarySteps, type StepSketch } from './random-command.spec.support.js';
import type { ModelSketch } from './sketch.spec.support.js';
import { listStartTriggers, buildStartCommand } from './start-command.spec.support.js';
import { renameIds, type Version } from './versions.spec.support.js';
import { writeModel } from './write-model.spec.support.js';

export interface ModelCheck {
  readonly models: number;
  readonly seed: number;
  /** Path of the failure to reproduce, as reported by fast-check. */
  readonly path?: string;
}

/**
 * Checks random models, each with a random sequence of commands.
 *
 * @throws {Error} if a property does not hold; the message contains the seed, the path, and the smallest failing
 *   model and commands
 */
export async function checkModels({ models, seed, path }: ModelCheck): Promise<void> {
  const property = fc.asyncProperty(arbitraryModel, arbitraryModel, arbitrarySteps, checkModel);
  await fc.assert(property, { numRuns: models, seed, ...(path === undefined ? {} : { path }) });
}

async function checkModel(sketch: ModelSketch, otherSketch: ModelSketch, steps: readonly StepSketch[]): Promise<void> {
  const { xml, mayGetStuck } = writeModel(sketch);
  const hasMigration = steps.some(({ kind }) => kind === 'migrate');
  const otherXml = hasMigration ? writeModel(modifySketch(sketch, otherSketch, steps.length)).xml : '';
  try {
    // Compiling takes as long as the rest of the check, so only some models are compiled twice.
    const version = await compileVersion(xml, steps.length % 3 === 0);
    const versions = hasMigration
      ? { first: version, renamed: await compileVersion(renameIds(xml)), other: await compileVersion(otherXml) }
      : null;
    const startTriggers = listStartTriggers(version.graph);
    const startTrigger = steps.length % 2 === 0 ? startTriggers[(steps.length / 2) % startTriggers.length] : undefined;
    checkRun({ version, versions, mayGetStuck }, buildStartCommand(startTrigger ?? null), steps);
  } catch (error) {
    const models = [xml, ...(hasMigration ? [otherXml] : [])].map((each) => `BPMN model:\n${each}`);
    throw new Error([error instanceof Error ? (error.stack ?? error.message) : String(error), ...models].join('\n'), {
      cause: error,
    });
  }
}

/**
 * Returns another version of a model. Most versions differ only in later parts, so that the first elements keep their
 * ids.
 */
function modifySketch(sketch: ModelSketch, other: ModelSketch, variant: number): ModelSketch {
  switch (variant % 4) {
    case 0:
      return other;
    case 1:
      return { ...sketch, body: sketch.body.slice(0, -1) };
    case 2:
      return { ...sketch, eventSubProcesses: other.eventSubProcesses };
    default:
      return { ...sketch, body: [...sketch.body, ...other.body] };
  }
}

async function compileVersion(xml: string, shouldRecompile = false): Promise<Version> {
  const graph = await compile(xml);
  return { graph, recompiled: shouldRecompile ? await compile(xml) : graph };
}

async function compile(xml: string): Promise<WorkflowGraph> {
  const [first] = (await compileWorkflows(xml)).workflows;
  if (first === undefined) throw new Error('The BPMN model contains no executable process.');
  return first.graph;
}
