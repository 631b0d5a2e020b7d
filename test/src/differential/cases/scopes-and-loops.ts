import { multiProcessCase, singleProcessCase, type DifferentialCase } from '../case.js';
import {
  boundaryEvent,
  callActivity,
  compensation,
  end,
  error,
  escalation,
  eventSubProcess,
  gateway,
  message,
  plainTask,
  scope,
  scriptTask,
  start,
  subProcess,
  throwEvent,
  compensationAssociation,
  userTask,
  jobTask,
  type ActivityOptions,
  type ScopeContent,
} from '../model-text.js';

const singleElement = (element: string): ScopeContent => {
  const id = /\bid="([^"]+)"/.exec(element)?.[1] ?? '';
  return scope([start(), element, end()], `start > ${id}`, `${id} > end`);
};

const innerChain = (...elements: readonly string[]): ScopeContent => {
  const allIds = ['s', ...elements.map((element) => /\bid="([^"]+)"/.exec(element)?.[1] ?? ''), 'e'];
  return scope(
    [start('s'), ...elements, end('e')],
    ...allIds.slice(1).map((id, index) => `${allIds[index] ?? ''} > ${id}`),
  );
};

const childProcess = (...elements: readonly string[]): ScopeContent => {
  const allIds = ['cs', ...elements.map((element) => /\bid="([^"]+)"/.exec(element)?.[1] ?? ''), 'ce'];
  return scope(
    [start('cs'), ...elements, end('ce')],
    ...allIds.slice(1).map((id, index) => `${allIds[index] ?? ''} > ${id}`),
  );
};

const callCase = (
  id: string,
  options: Parameters<typeof callActivity>[2],
  content: ScopeContent,
  steps: DifferentialCase['steps'] = [],
): DifferentialCase =>
  multiProcessCase(`call: ${id}`, { case: singleElement(callActivity('c', 'child', options)), child: content }, [
    { start: 'case', variables: { x: 1 } },
    ...steps,
  ]);

const caughtCallCase = (
  id: string,
  definition: string,
  content: ScopeContent,
  steps: DifferentialCase['steps'] = [],
  interrupting = true,
): DifferentialCase =>
  multiProcessCase(
    `call: ${id}`,
    {
      case: scope(
        [
          start(),
          callActivity('c', 'child'),
          boundaryEvent('b', 'c', definition, interrupting),
          plainTask('after'),
          end('end'),
          end('caught'),
        ],
        'start > c',
        'c > end',
        'b > after',
        'after > caught',
      ),
      child: content,
    },
    [{ start: 'case', variables: { x: 1 } }, ...steps],
  );

const loopCase = (
  id: string,
  loop: NonNullable<ActivityOptions['loop']>,
  steps: DifferentialCase['steps'] = [],
  variables: Readonly<Record<string, unknown>> = {},
  options: ActivityOptions = {},
): DifferentialCase =>
  singleProcessCase(`loop: ${id}`, singleElement(jobTask('a', { loop, ...options })), steps, {
    xs: [10, 20, 30],
    ...variables,
  });

const THREE_TURNS: DifferentialCase['steps'] = [
  { complete: 'a', turn: 1, variables: { r: 1 } },
  { complete: 'a', turn: 2, variables: { r: 2 } },
  { complete: 'a', turn: 3, variables: { r: 3 } },
];
const REVERSED_TURNS: DifferentialCase['steps'] = [...THREE_TURNS].reverse();

const compensableTasks = (flow: readonly string[], ...extraElements: readonly string[]): ScopeContent =>
  scope(
    [
      start(),
      jobTask('a'),
      boundaryEvent('ba', 'a', compensation()),
      jobTask('ua', { compensates: true }),
      compensationAssociation('ba', 'ua'),
      jobTask('b'),
      boundaryEvent('bb', 'b', compensation()),
      jobTask('ub', { compensates: true }),
      compensationAssociation('bb', 'ub'),
      ...extraElements,
    ],
    ...flow,
  );

/** Cases for sub-processes, call activities, loops and compensation (BPMN 2.0, 13.3.4 to 13.3.7 and 13.5.5). */
export const SCOPE_CASES: readonly DifferentialCase[] = [
  singleProcessCase(
    'sub-process: nested',
    singleElement(
      subProcess(
        'sub',
        innerChain(subProcess('deep', scope([start('s2'), scriptTask('a', 'a', '1'), end('e2')], 's2 > a', 'a > e2'))),
      ),
    ),
  ),
  singleProcessCase(
    'sub-process: several tokens, left when the last has ended',
    singleElement(
      subProcess(
        'sub',
        scope(
          [start('s'), gateway('parallel', 'fork'), jobTask('a'), jobTask('b'), end('ea'), end('eb')],
          's > fork',
          'fork > a',
          'fork > b',
          'a > ea',
          'b > eb',
        ),
      ),
    ),
    [{ complete: 'b' }, { complete: 'a' }],
  ),
  singleProcessCase(
    'sub-process: twice at once',
    scope(
      [
        start(),
        gateway('parallel', 'fork'),
        plainTask('p'),
        plainTask('q'),
        gateway('exclusive', 'merge'),
        subProcess('sub', innerChain(scriptTask('a', 'n', 'n + 1'))),
        end(),
      ],
      'start > fork',
      'fork > p',
      'fork > q',
      'p > merge',
      'q > merge',
      'merge > sub',
      'sub > end',
    ),
    [],
    { n: 0 },
  ),
  callCase('all variables both ways', {}, childProcess(scriptTask('in-child', 'y', 'x + 1'))),
  callCase(
    'nothing goes back',
    { propagate: 'propagateAllChildVariables="false"' },
    childProcess(scriptTask('in-child', 'y', 'x + 1')),
  ),
  callCase(
    'nothing goes in',
    { propagate: 'propagateAllParentVariables="false"' },
    childProcess(scriptTask('in-child', 'y', 'x')),
  ),
  callCase(
    'only inputs go in',
    { propagate: 'propagateAllParentVariables="false"', inputs: { z: 'x + 1' } },
    childProcess(scriptTask('in-child', 'y', 'z')),
  ),
  callCase(
    'inputs beside all variables',
    { inputs: { z: 'x + 1' } },
    childProcess(scriptTask('in-child', 'y', 'z + x')),
  ),
  callCase('outputs', { outputs: { back: 'y + 1' } }, childProcess(scriptTask('in-child', 'y', 'x + 1'))),
  callCase(
    'outputs and all child variables',
    { propagate: 'propagateAllChildVariables="true"', outputs: { back: 'y + 1' } },
    childProcess(scriptTask('in-child', 'y', 'x + 1')),
  ),
  callCase(
    'a variable of the child with the name of an input',
    { inputs: { x: '5' } },
    childProcess(scriptTask('in-child', 'x', 'x + 1')),
  ),
  callCase('a job in the child', {}, childProcess(jobTask('in-child')), [
    { complete: 'in-child', variables: { y: 2 } },
  ]),
  callCase('a parent that is cancelled', {}, childProcess(jobTask('in-child')), [{ cancel: 'case' }]),
  multiProcessCase('call: a process that is not there', { case: singleElement(callActivity('c', 'nowhere')) }, [
    { start: 'case' },
  ]),
  multiProcessCase(
    'call: a process by an expression',
    {
      case: singleElement(callActivity('c', '=&quot;chi&quot; + &quot;ld&quot;')),
      child: childProcess(plainTask('in-child')),
    },
    [{ start: 'case' }],
  ),
  caughtCallCase('an error of the child', error('E'), childProcess(jobTask('in-child')), [
    { throwError: 'in-child', code: 'E', variables: { why: 1 } },
  ]),
  caughtCallCase('an error end event of the child', error('E'), scope([start('cs'), end('ce', error('E'))], 'cs > ce')),
  caughtCallCase('an error of the child that nothing catches', error('F'), childProcess(jobTask('in-child')), [
    { throwError: 'in-child', code: 'E' },
  ]),
  caughtCallCase(
    'an escalation of the child',
    escalation('X'),
    scope([start('cs'), throwEvent('t', escalation('X')), plainTask('p'), end('ce')], 'cs > t', 't > p', 'p > ce'),
    [],
    false,
  ),
  caughtCallCase('a message that interrupts', message('m'), childProcess(jobTask('in-child')), [
    { message: 'm', key: 'k' },
  ]),
  multiProcessCase(
    'call: in a loop',
    {
      case: singleElement(
        callActivity('c', 'child', {
          loop: { over: 'xs', as: 'x', sequential: true, collect: { into: 'ys', each: 'y' } },
        }),
      ),
      child: childProcess(scriptTask('in-child', 'y', 'x * 2')),
    },
    [{ start: 'case', variables: { xs: [1, 2, 3] } }],
  ),

  loopCase('parallel', { over: 'xs', as: 'x' }, THREE_TURNS),
  loopCase(
    'parallel, done in another order',
    { over: 'xs', as: 'x', collect: { into: 'ys', each: 'r' } },
    REVERSED_TURNS,
  ),
  loopCase(
    'parallel, outputs of each',
    { over: 'xs', as: 'x', collect: { into: 'ys', each: 'x + loopCounter' } },
    THREE_TURNS,
  ),
  loopCase(
    'parallel, until a condition holds',
    { over: 'xs', as: 'x', until: 'numberOfCompletedInstances = 2', collect: { into: 'ys', each: 'r' } },
    [THREE_TURNS[0], THREE_TURNS[2]] as never,
  ),
  loopCase('sequential', { over: 'xs', as: 'x', sequential: true, collect: { into: 'ys', each: 'r' } }, THREE_TURNS),
  loopCase(
    'sequential, until a condition holds',
    { over: 'xs', as: 'x', sequential: true, until: 'r = 2', collect: { into: 'ys', each: 'r' } },
    THREE_TURNS.slice(0, 2),
  ),
  loopCase('sequential, until a result is there', { over: 'xs', sequential: true, until: 'ok' }, [
    { complete: 'a', variables: { ok: false } },
    { complete: 'a', variables: { ok: true } },
  ]),
  loopCase('over nothing', { over: '[]', as: 'x', collect: { into: 'ys', each: 'x' } }),
  loopCase('over nothing, sequential', { over: '[]', as: 'x', sequential: true }),
  loopCase('over what is no list', { over: '1', as: 'x' }),
  loopCase('over null', { over: 'missing', as: 'x' }),
  loopCase('a condition that is no truth value', { over: 'xs', as: 'x', until: '1' }, THREE_TURNS.slice(0, 1)),
  loopCase(
    'without an output element in the result',
    { over: 'xs', as: 'x', collect: { into: 'ys', each: 'missing' } },
    THREE_TURNS,
  ),
  loopCase(
    'the collection of the name of a variable',
    { over: 'xs', as: 'x', collect: { into: 'xs', each: 'x * 2' } },
    THREE_TURNS,
  ),
  loopCase(
    'mappings of each',
    { over: 'xs', as: 'x', collect: { into: 'ys', each: 'out' } },
    THREE_TURNS,
    {},
    { inputs: { plus: 'x + 1' }, outputs: { out: 'plus + r' } },
  ),
  loopCase(
    'counters',
    {
      over: 'xs',
      as: 'x',
      sequential: true,
      collect: {
        into: 'ys',
        each: '[numberOfInstances, numberOfActiveInstances, numberOfCompletedInstances, numberOfTerminatedInstances]',
      },
    },
    THREE_TURNS,
  ),
  loopCase('an error of one that nothing catches', { over: 'xs', as: 'x' }, [
    THREE_TURNS[0],
    { throwError: 'a', turn: 2, code: 'E' },
  ] as never),
  singleProcessCase(
    'loop: of scripts',
    singleElement(scriptTask('a', 'r', 'x * 2', { loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'r' } } })),
    [],
    { xs: [1, 2, 3] },
  ),
  singleProcessCase(
    'loop: of scripts, sequential',
    singleElement(
      scriptTask('a', 'r', 'x * 2', {
        loop: { over: 'xs', as: 'x', sequential: true, collect: { into: 'ys', each: 'r' } },
      }),
    ),
    [],
    { xs: [1, 2, 3] },
  ),
  singleProcessCase(
    'loop: of scripts, until a condition holds',
    singleElement(
      scriptTask('a', 'r', 'x * 2', {
        loop: { over: 'xs', as: 'x', until: 'numberOfCompletedInstances >= 2', collect: { into: 'ys', each: 'r' } },
      }),
    ),
    [],
    { xs: [1, 2, 3, 4] },
  ),
  singleProcessCase(
    'loop: of user tasks',
    singleElement(userTask('a', { loop: { over: 'xs', as: 'x' } })),
    [{ approve: 'a' }, { approve: 'a' }],
    { xs: [1, 2] },
  ),
  singleProcessCase(
    'loop: of sub-processes',
    singleElement(
      subProcess('sub', innerChain(scriptTask('a', 'r', 'x * 2'), jobTask('w')), {
        loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'r' } },
      }),
    ),
    [{ complete: 'w' }, { complete: 'w' }],
    { xs: [1, 2] },
  ),
  singleProcessCase(
    'loop: of sub-processes, sequential',
    singleElement(
      subProcess('sub', innerChain(scriptTask('a', 'r', 'x * 2'), plainTask('p')), {
        loop: { over: 'xs', as: 'x', sequential: true, collect: { into: 'ys', each: 'r' } },
      }),
    ),
    [],
    { xs: [1, 2] },
  ),
  singleProcessCase(
    'loop: in a loop',
    singleElement(
      subProcess(
        'sub',
        innerChain(
          scriptTask('a', 'r', 'x * y', { loop: { over: 'zs', as: 'y', collect: { into: 'rs', each: 'r' } } }),
        ),
        { loop: { over: 'xs', as: 'x', collect: { into: 'all', each: 'rs' } } },
      ),
    ),
    [],
    { xs: [1, 2], zs: [10, 100] },
  ),
  singleProcessCase(
    'loop: an error of one that is caught',
    scope(
      [
        start(),
        jobTask('a', { loop: { over: 'xs', as: 'x' } }),
        boundaryEvent('b', 'a', error('E')),
        end('end'),
        end('caught'),
      ],
      'start > a',
      'a > end',
      'b > caught',
    ),
    [
      { complete: 'a', turn: 1 },
      { throwError: 'a', turn: 2, code: 'E' },
    ],
    { xs: [1, 2, 3] },
  ),
  singleProcessCase(
    'loop: a message that does not interrupt',
    scope(
      [
        start(),
        jobTask('a', { loop: { over: 'xs', as: 'x' } }),
        boundaryEvent('b', 'a', message('m'), false),
        plainTask('p'),
        end('end'),
        end('caught'),
      ],
      'start > a',
      'a > end',
      'b > p',
      'p > caught',
    ),
    [
      { message: 'm', key: 'k' },
      { complete: 'a', turn: 1 },
      { complete: 'a', turn: 2 },
    ],
    { xs: [1, 2] },
  ),

  singleProcessCase(
    'compensation: all that was completed',
    compensableTasks(['start > a', 'a > b', 'b > undo', 'undo > end'], throwEvent('undo', compensation()), end()),
    [{ complete: 'a' }, { complete: 'b' }, { complete: 'ub' }, { complete: 'ua' }],
  ),
  singleProcessCase(
    'compensation: of one activity',
    compensableTasks(['start > a', 'a > b', 'b > undo', 'undo > end'], throwEvent('undo', compensation('a')), end()),
    [{ complete: 'a' }, { complete: 'b' }, { complete: 'ua' }],
  ),
  singleProcessCase(
    'compensation: an end event',
    compensableTasks(['start > a', 'a > b', 'b > undo'], end('undo', compensation())),
    [{ complete: 'a' }, { complete: 'b' }, { complete: 'ub' }, { complete: 'ua' }],
  ),
  singleProcessCase(
    'compensation: nothing was completed',
    scope([start(), throwEvent('undo', compensation()), plainTask('p'), end()], 'start > undo', 'undo > p', 'p > end'),
  ),
  singleProcessCase(
    'compensation: with the variables of the moment',
    compensableTasks(['start > a', 'a > b', 'b > undo', 'undo > end'], throwEvent('undo', compensation('b')), end()),
    [
      { complete: 'a', variables: { x: 1 } },
      { complete: 'b', variables: { x: 2 } },
      { complete: 'ub', variables: { x: 3 } },
    ],
  ),
  singleProcessCase(
    'compensation: handlers that are done at once',
    scope(
      [
        start(),
        plainTask('a'),
        boundaryEvent('ba', 'a', compensation()),
        plainTask('ua', 'task', { compensates: true }),
        compensationAssociation('ba', 'ua'),
        plainTask('b'),
        boundaryEvent('bb', 'b', compensation()),
        plainTask('ub', 'task', { compensates: true }),
        compensationAssociation('bb', 'ub'),
        throwEvent('undo', compensation()),
        plainTask('p'),
        end(),
      ],
      'start > a',
      'a > b',
      'b > undo',
      'undo > p',
      'p > end',
    ),
  ),
  singleProcessCase(
    'compensation: within a sub-process that was completed',
    scope(
      [
        start(),
        subProcess(
          'sub',
          scope(
            [
              start('s'),
              plainTask('a'),
              boundaryEvent('ba', 'a', compensation()),
              plainTask('ua', 'task', { compensates: true }),
              compensationAssociation('ba', 'ua'),
              end('e'),
            ],
            's > a',
            'a > e',
          ),
        ),
        throwEvent('undo', compensation()),
        end(),
      ],
      'start > sub',
      'sub > undo',
      'undo > end',
    ),
  ),
  singleProcessCase(
    'compensation: an activity that was completed twice',
    scope(
      [
        start(),
        gateway('exclusive', 'merge'),
        jobTask('a'),
        boundaryEvent('ba', 'a', compensation()),
        plainTask('ua', 'task', { compensates: true }),
        compensationAssociation('ba', 'ua'),
        gateway('exclusive', 'again', 'undo'),
        throwEvent('undo', compensation()),
        end(),
      ],
      'start > merge',
      'merge > a',
      'a > again',
      'again > merge : again',
      'again > undo',
      'undo > end',
    ),
    [
      { complete: 'a', variables: { again: true } },
      { complete: 'a', variables: { again: false } },
    ],
  ),
  singleProcessCase(
    'compensation: an error handler that undoes',
    scope(
      [
        start(),
        jobTask('a'),
        boundaryEvent('ba', 'a', compensation()),
        jobTask('ua', { compensates: true }),
        compensationAssociation('ba', 'ua'),
        jobTask('b'),
        boundaryEvent('bb', 'b', error('E')),
        throwEvent('undo', compensation()),
        end('end'),
        end('undone'),
      ],
      'start > a',
      'a > b',
      'b > end',
      'bb > undo',
      'undo > undone',
    ),
    [{ complete: 'a' }, { throwError: 'b', code: 'E' }, { complete: 'ua' }],
  ),
  singleProcessCase(
    'interplay: a loop in a sub-process that an event sub-process interrupts',
    singleElement(
      subProcess(
        'sub',
        scope(
          [
            start('s'),
            jobTask('a', { loop: { over: 'xs', as: 'x' } }),
            eventSubProcess(
              'handler',
              scope([start('on', message('m')), plainTask('h'), end('off')], 'on > h', 'h > off'),
            ),
            end('e'),
          ],
          's > a',
          'a > e',
        ),
      ),
    ),
    [
      { complete: 'a', turn: 2 },
      { message: 'm', key: 'k' },
    ],
    { xs: [1, 2, 3] },
  ),
];
