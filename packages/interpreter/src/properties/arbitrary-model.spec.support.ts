import fc from 'fast-check';
import {
  END_KINDS,
  SCOPE_KINDS,
  SPLIT_KINDS,
  TASK_KINDS,
  THROW_KINDS,
  type ActivitySketch,
  type StartSketch,
  type BlockSketch,
  type BoundarySketch,
  type BranchSketch,
  type EventSubProcessSketch,
  type LoopSketch,
  type ModelSketch,
  type EventBranchSketch,
  type ScopeSketch,
  type TangleNode,
  type TriggerKind,
  type TriggerSketch,
} from './sketch.spec.support.js';

const which = fc.nat(8);
const conditionOrNone = fc.option(which, { freq: 2 });

/** Returns an arbitrary for one of several kinds. The first kind is drawn more often, and the others shrink to it. */
function weightedKinds<T>(all: readonly T[], firstWeight: number): fc.Arbitrary<T> {
  const [first, ...rest] = all;
  return fc.oneof(
    { withCrossShrink: true },
    { arbitrary: fc.constant(first as T), weight: firstWeight },
    { arbitrary: fc.constantFrom(...rest), weight: rest.length },
  );
}

const triggerOfKinds = (...all: TriggerKind[]): fc.Arbitrary<TriggerSketch> =>
  fc.record({ kind: fc.constantFrom(...all), which });
const catchTrigger = triggerOfKinds('message', 'timer', 'signal', 'condition');
const optionalSecondTrigger: fc.Arbitrary<TriggerSketch | null> = fc.option(catchTrigger, { freq: 5 });
const boundaryTrigger = triggerOfKinds('message', 'timer', 'error', 'escalation', 'signal', 'condition', 'cancel');
const instantiatingTrigger = triggerOfKinds('message', 'signal');
const eventSubProcessTrigger = triggerOfKinds(
  'message',
  'timer',
  'error',
  'escalation',
  'signal',
  'condition',
  'compensation',
);

const loop: fc.Arbitrary<LoopSketch> = fc.record({
  kind: fc.constantFrom('parallel', 'sequential', 'standard'),
  count: fc.nat(3),
  extra: fc.boolean(),
  condition: conditionOrNone,
});

const tangle: fc.Arbitrary<TangleNode[]> = fc.array(
  fc.record({
    variant: fc.oneof({ withCrossShrink: true }, fc.constant('service' as const), fc.constantFrom(...SPLIT_KINDS)),
    from: fc.nat(6),
    to: fc.array(fc.nat(6), { maxLength: 2 }),
  }),
  { minLength: 2, maxLength: 7 },
);

interface Sketches {
  readonly model: ModelSketch;
  readonly body: BlockSketch[];
  readonly block: BlockSketch;
  readonly eventSubProcess: EventSubProcessSketch;
  readonly boundary: BoundarySketch;
}

const { model } = fc.letrec((tie: fc.LetrecTypedTie<Sketches>): fc.LetrecValue<Sketches> => {
  const depth = { depthIdentifier: 'model' };
  const body = tie('body');
  const shortArray = <T>(arbitrary: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<T[]> =>
    fc.oneof(
      { withCrossShrink: true },
      { arbitrary: fc.constant<T[]>([]), weight: 5 },
      { arbitrary: fc.array(arbitrary, { minLength: 1, maxLength, ...depth }), weight: 1 },
    );
  const branch: fc.Arbitrary<BranchSketch> = fc.record({ body, condition: which });
  const race: fc.Arbitrary<EventBranchSketch> = fc.record({ trigger: catchTrigger, body });
  const begin: fc.Arbitrary<StartSketch> = fc.oneof(
    { withCrossShrink: true },
    fc.constant({ kind: 'message' as const }),
    fc.record({ kind: fc.constant('receive' as const), which }),
    fc.record({
      kind: fc.constant('multiple' as const),
      triggers: fc.array(instantiatingTrigger, { minLength: 1, maxLength: 3 }),
      parallel: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('gateway' as const),
      branches: fc.array(fc.record({ trigger: instantiatingTrigger, body }), { minLength: 1, maxLength: 3, ...depth }),
      parallel: fc.boolean(),
      byTask: fc.boolean(),
    }),
  );
  const task = fc.record({ task: weightedKinds(TASK_KINDS, 8), form: fc.nat(3) });
  const scope: fc.Arbitrary<ScopeSketch> = fc.record({
    scope: weightedKinds(SCOPE_KINDS, 2),
    body,
    eventSubProcesses: shortArray(tie('eventSubProcess'), 2),
    sequential: fc.boolean(),
    condition: conditionOrNone,
  });
  const plainActivity = fc.record({
    kind: fc.constant('activity' as const),
    variant: task,
    boundaries: fc.constant([]),
    loop: fc.constant(null),
    handler: fc.constant(null),
    mapped: fc.constant(false),
  });
  const activityWith = (variant: fc.Arbitrary<ActivitySketch['variant']>): fc.Arbitrary<ActivitySketch> =>
    fc.record({
      kind: fc.constant('activity' as const),
      variant,
      boundaries: shortArray(tie('boundary'), 2),
      loop: fc.option(loop, { freq: 4 }),
      handler: fc.option(weightedKinds(TASK_KINDS, 4), { freq: 3 }),
      mapped: fc.boolean(),
    });
  const block = (arbitrary: fc.Arbitrary<BlockSketch>, weight: number) => ({ arbitrary, weight });
  return {
    body: fc.array(tie('block'), { maxLength: 4, ...depth }),
    block: fc.oneof(
      { withCrossShrink: true, depthSize: 'small', maxDepth: 5, ...depth },
      block(plainActivity, 10),
      block(activityWith(task), 4),
      block(
        fc.record({
          kind: fc.constant('catch' as const),
          trigger: catchTrigger,
          second: optionalSecondTrigger,
          parallel: fc.boolean(),
        }),
        2,
      ),
      block(
        fc.record({ kind: fc.constant('throw' as const), variant: fc.constantFrom(...THROW_KINDS), code: which }),
        2,
      ),
      block(fc.record({ kind: fc.constant('end' as const), variant: fc.constantFrom(...END_KINDS), code: which }), 2),
      block(fc.record({ kind: fc.constant('link' as const) }), 1),
      block(activityWith(scope), 4),
      block(
        fc
          .tuple(
            fc.constantFrom(...SPLIT_KINDS),
            fc.option(fc.constantFrom(...SPLIT_KINDS), { freq: 8 }),
            fc.array(branch, { minLength: 2, maxLength: 3, ...depth }),
          )
          .map(([split, other, branches]) => ({ kind: 'split' as const, split, join: other ?? split, branches })),
        5,
      ),
      block(
        fc.record({
          kind: fc.constant('race' as const),
          branches: fc.array(race, { minLength: 2, maxLength: 3, ...depth }),
        }),
        2,
      ),
      block(fc.record({ kind: fc.constant('loopBack' as const), body, turns: fc.integer({ min: 1, max: 3 }) }), 1),
      block(fc.record({ kind: fc.constant('tangle' as const), nodes: tangle }), 1),
    ),
    boundary: fc.record({ trigger: boundaryTrigger, interrupting: fc.boolean(), body, merges: fc.boolean() }),
    eventSubProcess: fc.record({ trigger: eventSubProcessTrigger, interrupting: fc.boolean(), body }),
    model: fc.record({
      body: fc.array(tie('block'), { minLength: 1, maxLength: 5, ...depth }),
      eventSubProcesses: shortArray(tie('eventSubProcess'), 2),
      begin: fc.option(begin, { freq: 3 }),
    }),
  };
});

/** Arbitrary for sketches of valid BPMN models, most of which are small. */
export const arbitraryModel: fc.Arbitrary<ModelSketch> = model;
