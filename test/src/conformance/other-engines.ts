/** Results of another engine on the same cases. */
export interface OtherEngine {
  readonly name: string;
  /** Number of correct traced cases of the tier. */
  readonly core: number;
  readonly rare: number;
  readonly interpretation: number;
  /** Number of core cases that are not correct. */
  readonly refused: number;
  readonly wrong: number;
  /** Number of correct core cases step by step. */
  readonly steps: number;
}

/** Measured by the authors of the cases, black-box with an adapter for each engine (see the README of the material). */
export const OTHER_ENGINES: readonly OtherEngine[] = Object.freeze([
  { name: 'Camunda 7.23', core: 98, rare: 1, interpretation: 5, refused: 0, wrong: 7, steps: 47 },
  { name: 'Flowable 7.1', core: 95, rare: 7, interpretation: 4, refused: 1, wrong: 9, steps: 45 },
  { name: 'Zeebe 8.8', core: 81, rare: 1, interpretation: 0, refused: 12, wrong: 12, steps: 45 },
  { name: 'SpiffWorkflow 3.2', core: 88, rare: 6, interpretation: 4, refused: 11, wrong: 6, steps: 37 },
  { name: 'bpmn-elements 17.3', core: 81, rare: 7, interpretation: 1, refused: 0, wrong: 24, steps: 31 },
]);
