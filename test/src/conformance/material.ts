import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@countersign/core/plugin';

/**
 * Variable with the folder of the conformance material; the default is `../shared/conformance` beside the repository.
 */
export const MATERIAL_VARIABLE = 'COUNTERSIGN_CONFORMANCE';

export type Tier = 'core' | 'rare' | 'interpretation' | 'disputed' | 'race';

interface Case {
  readonly id: string;
  readonly group: string;
  readonly tier: Tier;
  readonly bpmnFile: string;
  readonly processId: string;
  readonly startVariables: JsonObject;
}

/** Case that is judged by the markers of its script tasks. */
export interface TracedCase extends Case {
  readonly preStart: readonly string[];
  readonly expectedTrace: readonly string[];
  readonly traceMode: string;
  readonly requiredMarkers: readonly string[];
  readonly ignoredMarkers: readonly string[];
  /** Markers that count once, however often they appear. */
  readonly setMarkers: readonly string[];
  readonly optionalMarkers: readonly string[];
  readonly expectedStatus: 'completed' | 'failed' | 'waits';
  readonly expectedError?: { readonly kind: string; readonly code?: string };
  readonly deployRejectionAllowed?: boolean;
  /** Pairs of markers: at least one occurrence of the first precedes every occurrence of the second. */
  readonly happensBefore: readonly (readonly [string, string])[];
  /** Pairs of markers: every occurrence of the first precedes every occurrence of the second. */
  readonly allBefore: readonly (readonly [string, string])[];
}

/** Case in which the run waits at every user task until the test completes the task. */
export interface StepCase extends Case {
  readonly steps: readonly CaseStep[];
}

export type CaseStep =
  | { readonly expect: Readonly<Record<string, number>> }
  | { readonly complete: string; readonly n: number; readonly variables?: JsonObject }
  | { readonly advance: string }
  | { readonly message: string }
  | { readonly ended: true }
  | { readonly failed: true };

/** Model that violates a rule of the standard. */
export interface ConstraintCase {
  readonly id: string;
  readonly rule: string;
  readonly file: string;
  readonly what: string;
}

export interface Material {
  readonly traced: readonly TracedCase[];
  readonly steps: readonly StepCase[];
  readonly constraints: readonly ConstraintCase[];
  readonly exchanged: readonly { readonly file: string }[];
  /** Returns the bytes of a model. */
  model(file: string): Buffer;
}

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

export function getMaterialDirectory(): string {
  const configuredDirectory = process.env[MATERIAL_VARIABLE];
  return configuredDirectory === undefined || configuredDirectory === ''
    ? join(REPOSITORY, '..', 'shared', 'conformance')
    : configuredDirectory;
}

/** Returns why no measurement is possible, or `undefined` if the material exists. */
export function explainMissingMaterial(): string | undefined {
  const file = join(getMaterialDirectory(), 'cases.json');
  return existsSync(file)
    ? undefined
    : `${file} does not exist; set ${MATERIAL_VARIABLE} to the folder of the conformance material`;
}

/** @throws {Error} if a file is missing or lacks its list of cases or models */
export function readMaterial(): Material {
  const directory = getMaterialDirectory();
  const readList = <T>(file: string, key: string): readonly T[] => {
    const content = JSON.parse(readFileSync(join(directory, file), 'utf8')) as Record<string, unknown>;
    const found = content[key];
    if (!Array.isArray(found)) throw new Error(`${file} has no list "${key}".`);
    return found as T[];
  };
  return {
    traced: readList<TracedCase>('cases.json', 'cases'),
    steps: readList<StepCase>('cases-steps.json', 'cases'),
    constraints: readList<ConstraintCase>('constraints.json', 'cases'),
    exchanged: readList<{ file: string }>('miwg.json', 'models'),
    model: (file) => readFileSync(join(directory, file)),
  };
}
