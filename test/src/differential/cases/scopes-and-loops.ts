import { several, single, type DifferentialCase } from '../case.js';
import {
  boundary,
  call,
  compensation,
  end,
  error,
  escalation,
  eventSub,
  gateway,
  message,
  pass,
  scope,
  script,
  start,
  sub,
  thrown,
  undoes,
  user,
  work,
  type ActivityOptions,
  type ScopeContent,
} from '../model-text.js';

const one = (element: string): ScopeContent => {
  const id = /\bid="([^"]+)"/.exec(element)?.[1] ?? '';
  return scope([start(), element, end()], `start > ${id}`, `${id} > end`);
};

const inner = (...elements: readonly string[]): ScopeContent => {
  const all = ['s', ...elements.map((element) => /\bid="([^"]+)"/.exec(element)?.[1] ?? ''), 'e'];
  return scope([start('s'), ...elements, end('e')], ...all.slice(1).map((id, index) => `${all[index] ?? ''} > ${id}`));
};

const child = (...elements: readonly string[]): ScopeContent => {
  const all = ['cs', ...elements.map((element) => /\bid="([^"]+)"/.exec(element)?.[1] ?? ''), 'ce'];
  return scope(
    [start('cs'), ...elements, end('ce')],
    ...all.slice(1).map((id, index) => `${all[index] ?? ''} > ${id}`),
  );
};

const calls = (
  id: string,
  options: Parameters<typeof call>[2],
  content: ScopeContent,
  steps: DifferentialCase['steps'] = [],
): DifferentialCase =>
  several(`call: ${id}`, { case: one(call('c', 'child', options)), child: content }, [
    { start: 'case', variables: { x: 1 } },
    ...steps,
  ]);

const callsCaught = (
  id: string,
  definition: string,
  content: ScopeContent,
  steps: DifferentialCase['steps'] = [],
  interrupting = true,
): DifferentialCase =>
  several(
    `call: ${id}`,
    {
      case: scope(
        [
          start(),
          call('c', 'child'),
          boundary('b', 'c', definition, interrupting),
          pass('after'),
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

const looped = (
  id: string,
  loop: NonNullable<ActivityOptions['loop']>,
  steps: DifferentialCase['steps'] = [],
  variables: Readonly<Record<string, unknown>> = {},
  more: ActivityOptions = {},
): DifferentialCase =>
  single(`loop: ${id}`, one(work('a', { loop, ...more })), steps, { xs: [10, 20, 30], ...variables });

const THREE: DifferentialCase['steps'] = [
  { complete: 'a', turn: 1, variables: { r: 1 } },
  { complete: 'a', turn: 2, variables: { r: 2 } },
  { complete: 'a', turn: 3, variables: { r: 3 } },
];
const BACKWARDS: DifferentialCase['steps'] = [...THREE].reverse();

const bookings = (flow: readonly string[], ...more: readonly string[]): ScopeContent =>
  scope(
    [
      start(),
      work('a'),
      boundary('ba', 'a', compensation()),
      work('ua', { compensates: true }),
      undoes('ba', 'ua'),
      work('b'),
      boundary('bb', 'b', compensation()),
      work('ub', { compensates: true }),
      undoes('bb', 'ub'),
      ...more,
    ],
    ...flow,
  );

/** BPMN 2.0, 13.3.4 to 13.3.7, 13.5.5. */
export const SCOPE_CASES: readonly DifferentialCase[] = [
  single(
    'sub-process: nested',
    one(sub('sub', inner(sub('deep', scope([start('s2'), script('a', 'a', '1'), end('e2')], 's2 > a', 'a > e2'))))),
  ),
  single(
    'sub-process: several tokens, left when the last has ended',
    one(
      sub(
        'sub',
        scope(
          [start('s'), gateway('parallel', 'fork'), work('a'), work('b'), end('ea'), end('eb')],
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
  single(
    'sub-process: twice at once',
    scope(
      [
        start(),
        gateway('parallel', 'fork'),
        pass('p'),
        pass('q'),
        gateway('exclusive', 'merge'),
        sub('sub', inner(script('a', 'n', 'n + 1'))),
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
  calls('all variables both ways', {}, child(script('in-child', 'y', 'x + 1'))),
  calls(
    'nothing goes back',
    { propagate: 'propagateAllChildVariables="false"' },
    child(script('in-child', 'y', 'x + 1')),
  ),
  calls('nothing goes in', { propagate: 'propagateAllParentVariables="false"' }, child(script('in-child', 'y', 'x'))),
  calls(
    'only inputs go in',
    { propagate: 'propagateAllParentVariables="false"', inputs: { z: 'x + 1' } },
    child(script('in-child', 'y', 'z')),
  ),
  calls('inputs beside all variables', { inputs: { z: 'x + 1' } }, child(script('in-child', 'y', 'z + x'))),
  calls('outputs', { outputs: { back: 'y + 1' } }, child(script('in-child', 'y', 'x + 1'))),
  calls(
    'outputs and all child variables',
    { propagate: 'propagateAllChildVariables="true"', outputs: { back: 'y + 1' } },
    child(script('in-child', 'y', 'x + 1')),
  ),
  calls(
    'a variable of the child with the name of an input',
    { inputs: { x: '5' } },
    child(script('in-child', 'x', 'x + 1')),
  ),
  calls('a job in the child', {}, child(work('in-child')), [{ complete: 'in-child', variables: { y: 2 } }]),
  calls('a parent that is cancelled', {}, child(work('in-child')), [{ cancel: 'case' }]),
  several('call: a process that is not there', { case: one(call('c', 'nowhere')) }, [{ start: 'case' }]),
  several(
    'call: a process by an expression',
    { case: one(call('c', '=&quot;chi&quot; + &quot;ld&quot;')), child: child(pass('in-child')) },
    [{ start: 'case' }],
  ),
  callsCaught('an error of the child', error('E'), child(work('in-child')), [
    { throwError: 'in-child', code: 'E', variables: { why: 1 } },
  ]),
  callsCaught('an error end event of the child', error('E'), scope([start('cs'), end('ce', error('E'))], 'cs > ce')),
  callsCaught('an error of the child that nothing catches', error('F'), child(work('in-child')), [
    { throwError: 'in-child', code: 'E' },
  ]),
  callsCaught(
    'an escalation of the child',
    escalation('X'),
    scope([start('cs'), thrown('t', escalation('X')), pass('p'), end('ce')], 'cs > t', 't > p', 'p > ce'),
    [],
    false,
  ),
  callsCaught('a message that interrupts', message('m'), child(work('in-child')), [{ message: 'm', key: 'k' }]),
  several(
    'call: in a loop',
    {
      case: one(
        call('c', 'child', { loop: { over: 'xs', as: 'x', sequential: true, collect: { into: 'ys', each: 'y' } } }),
      ),
      child: child(script('in-child', 'y', 'x * 2')),
    },
    [{ start: 'case', variables: { xs: [1, 2, 3] } }],
  ),

  looped('parallel', { over: 'xs', as: 'x' }, THREE),
  looped('parallel, done in another order', { over: 'xs', as: 'x', collect: { into: 'ys', each: 'r' } }, BACKWARDS),
  looped('parallel, outputs of each', { over: 'xs', as: 'x', collect: { into: 'ys', each: 'x + loopCounter' } }, THREE),
  looped(
    'parallel, until a condition holds',
    { over: 'xs', as: 'x', until: 'numberOfCompletedInstances = 2', collect: { into: 'ys', each: 'r' } },
    [THREE[0], THREE[2]] as never,
  ),
  looped('sequential', { over: 'xs', as: 'x', sequential: true, collect: { into: 'ys', each: 'r' } }, THREE),
  looped(
    'sequential, until a condition holds',
    { over: 'xs', as: 'x', sequential: true, until: 'r = 2', collect: { into: 'ys', each: 'r' } },
    THREE.slice(0, 2),
  ),
  looped('sequential, until a result is there', { over: 'xs', sequential: true, until: 'ok' }, [
    { complete: 'a', variables: { ok: false } },
    { complete: 'a', variables: { ok: true } },
  ]),
  looped('over nothing', { over: '[]', as: 'x', collect: { into: 'ys', each: 'x' } }),
  looped('over nothing, sequential', { over: '[]', as: 'x', sequential: true }),
  looped('over what is no list', { over: '1', as: 'x' }),
  looped('over null', { over: 'missing', as: 'x' }),
  looped('a condition that is no truth value', { over: 'xs', as: 'x', until: '1' }, THREE.slice(0, 1)),
  looped(
    'without an output element in the result',
    { over: 'xs', as: 'x', collect: { into: 'ys', each: 'missing' } },
    THREE,
  ),
  looped(
    'the collection of the name of a variable',
    { over: 'xs', as: 'x', collect: { into: 'xs', each: 'x * 2' } },
    THREE,
  ),
  looped(
    'mappings of each',
    { over: 'xs', as: 'x', collect: { into: 'ys', each: 'out' } },
    THREE,
    {},
    { inputs: { plus: 'x + 1' }, outputs: { out: 'plus + r' } },
  ),
  looped(
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
    THREE,
  ),
  looped('an error of one that nothing catches', { over: 'xs', as: 'x' }, [
    THREE[0],
    { throwError: 'a', turn: 2, code: 'E' },
  ] as never),
  single(
    'loop: of scripts',
    one(script('a', 'r', 'x * 2', { loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'r' } } })),
    [],
    { xs: [1, 2, 3] },
  ),
  single(
    'loop: of scripts, sequential',
    one(
      script('a', 'r', 'x * 2', {
        loop: { over: 'xs', as: 'x', sequential: true, collect: { into: 'ys', each: 'r' } },
      }),
    ),
    [],
    { xs: [1, 2, 3] },
  ),
  single(
    'loop: of scripts, until a condition holds',
    one(
      script('a', 'r', 'x * 2', {
        loop: { over: 'xs', as: 'x', until: 'numberOfCompletedInstances >= 2', collect: { into: 'ys', each: 'r' } },
      }),
    ),
    [],
    { xs: [1, 2, 3, 4] },
  ),
  single(
    'loop: of user tasks',
    one(user('a', { loop: { over: 'xs', as: 'x' } })),
    [{ approve: 'a' }, { approve: 'a' }],
    { xs: [1, 2] },
  ),
  single(
    'loop: of sub-processes',
    one(
      sub('sub', inner(script('a', 'r', 'x * 2'), work('w')), {
        loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'r' } },
      }),
    ),
    [{ complete: 'w' }, { complete: 'w' }],
    { xs: [1, 2] },
  ),
  single(
    'loop: of sub-processes, sequential',
    one(
      sub('sub', inner(script('a', 'r', 'x * 2'), pass('p')), {
        loop: { over: 'xs', as: 'x', sequential: true, collect: { into: 'ys', each: 'r' } },
      }),
    ),
    [],
    { xs: [1, 2] },
  ),
  single(
    'loop: in a loop',
    one(
      sub(
        'sub',
        inner(script('a', 'r', 'x * y', { loop: { over: 'zs', as: 'y', collect: { into: 'rs', each: 'r' } } })),
        { loop: { over: 'xs', as: 'x', collect: { into: 'all', each: 'rs' } } },
      ),
    ),
    [],
    { xs: [1, 2], zs: [10, 100] },
  ),
  single(
    'loop: an error of one that is caught',
    scope(
      [
        start(),
        work('a', { loop: { over: 'xs', as: 'x' } }),
        boundary('b', 'a', error('E')),
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
  single(
    'loop: a message that does not interrupt',
    scope(
      [
        start(),
        work('a', { loop: { over: 'xs', as: 'x' } }),
        boundary('b', 'a', message('m'), false),
        pass('p'),
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

  single(
    'compensation: all that was completed',
    bookings(['start > a', 'a > b', 'b > undo', 'undo > end'], thrown('undo', compensation()), end()),
    [{ complete: 'a' }, { complete: 'b' }, { complete: 'ub' }, { complete: 'ua' }],
  ),
  single(
    'compensation: of one activity',
    bookings(['start > a', 'a > b', 'b > undo', 'undo > end'], thrown('undo', compensation('a')), end()),
    [{ complete: 'a' }, { complete: 'b' }, { complete: 'ua' }],
  ),
  single('compensation: an end event', bookings(['start > a', 'a > b', 'b > undo'], end('undo', compensation())), [
    { complete: 'a' },
    { complete: 'b' },
    { complete: 'ub' },
    { complete: 'ua' },
  ]),
  single(
    'compensation: nothing was completed',
    scope([start(), thrown('undo', compensation()), pass('p'), end()], 'start > undo', 'undo > p', 'p > end'),
  ),
  single(
    'compensation: with the variables of the moment',
    bookings(['start > a', 'a > b', 'b > undo', 'undo > end'], thrown('undo', compensation('b')), end()),
    [
      { complete: 'a', variables: { x: 1 } },
      { complete: 'b', variables: { x: 2 } },
      { complete: 'ub', variables: { x: 3 } },
    ],
  ),
  single(
    'compensation: handlers that are done at once',
    scope(
      [
        start(),
        pass('a'),
        boundary('ba', 'a', compensation()),
        pass('ua', 'task', { compensates: true }),
        undoes('ba', 'ua'),
        pass('b'),
        boundary('bb', 'b', compensation()),
        pass('ub', 'task', { compensates: true }),
        undoes('bb', 'ub'),
        thrown('undo', compensation()),
        pass('p'),
        end(),
      ],
      'start > a',
      'a > b',
      'b > undo',
      'undo > p',
      'p > end',
    ),
  ),
  single(
    'compensation: within a sub-process that was completed',
    scope(
      [
        start(),
        sub(
          'sub',
          scope(
            [
              start('s'),
              pass('a'),
              boundary('ba', 'a', compensation()),
              pass('ua', 'task', { compensates: true }),
              undoes('ba', 'ua'),
              end('e'),
            ],
            's > a',
            'a > e',
          ),
        ),
        thrown('undo', compensation()),
        end(),
      ],
      'start > sub',
      'sub > undo',
      'undo > end',
    ),
  ),
  single(
    'compensation: an activity that was completed twice',
    scope(
      [
        start(),
        gateway('exclusive', 'merge'),
        work('a'),
        boundary('ba', 'a', compensation()),
        pass('ua', 'task', { compensates: true }),
        undoes('ba', 'ua'),
        gateway('exclusive', 'again', 'undo'),
        thrown('undo', compensation()),
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
  single(
    'compensation: an error handler that undoes',
    scope(
      [
        start(),
        work('a'),
        boundary('ba', 'a', compensation()),
        work('ua', { compensates: true }),
        undoes('ba', 'ua'),
        work('b'),
        boundary('bb', 'b', error('E')),
        thrown('undo', compensation()),
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
  single(
    'interplay: a loop in a sub-process that an event sub-process interrupts',
    one(
      sub(
        'sub',
        scope(
          [
            start('s'),
            work('a', { loop: { over: 'xs', as: 'x' } }),
            eventSub('handler', scope([start('on', message('m')), pass('h'), end('off')], 'on > h', 'h > off')),
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
