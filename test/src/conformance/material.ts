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

/** Case whose result is the markers of its script tasks. */
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
  /** Pairs of which some occurrence of the first comes before the second. */
  readonly happensBefore: readonly (readonly [string, string])[];
  /** Pairs of which every occurrence of the first comes before the second. */
  readonly allBefore: readonly (readonly [string, string])[];
}

/** Case in which the test holds the run at every user task. */
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

export function materialDirectory(): string {
  const configuredDirectory = process.env[MATERIAL_VARIABLE];
  return configuredDirectory === undefined || configuredDirectory === ''
    ? join(REPOSITORY, '..', 'shared', 'conformance')
    : configuredDirectory;
}

/** Returns why no measurement is possible, or `undefined` if the material exists. */
export function explainMissingMaterial(): string | undefined {
  const file = join(materialDirectory(), 'cases.json');
  return existsSync(file)
    ? undefined
    : `there is no ${file}; ${MATERIAL_VARIABLE} names the folder of the conformance cases`;
}

/** @throws {Error} a file is missing or differs from the material's README */
export function readMaterial(): Material {
  const directory = materialDirectory();
  const list = <T>(file: string, key: string): readonly T[] => {
    const content = JSON.parse(readFileSync(join(directory, file), 'utf8')) as Record<string, unknown>;
    const found = content[key];
    if (!Array.isArray(found)) throw new Error(`${file} has no list "${key}".`);
    return found as T[];
  };
  return {
    traced: list<TracedCase>('cases.json', 'cases'),
    steps: list<StepCase>('cases-steps.json', 'cases'),
    constraints: list<ConstraintCase>('constraints.json', 'cases'),
    exchanged: list<{ file: string }>('miwg.json', 'models'),
    model: (file) => readFileSync(join(directory, file)),
  };
}
