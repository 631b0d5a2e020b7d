import { singleProcessCase, type DifferentialCase } from '../case.js';
import {
  boundaryEvent,
  catchEvent,
  end,
  error,
  eventSubProcess,
  gateway,
  message,
  plainTask,
  receiveTask,
  scope,
  scriptTask,
  signal,
  start,
  subProcess,
  throwEvent,
  userTask,
  jobTask,
  type ActivityOptions,
  type ScopeContent,
} from '../model-text.js';

/** Returns consecutive elements between a start and an end event. */
const sequence = (...elements: readonly string[]): ScopeContent => {
  const ids = elements.map((element) => /\bid="([^"]+)"/.exec(element)?.[1] ?? '');
  const allIds = ['start', ...ids, 'end'];
  return scope([start(), ...elements, end()], ...allIds.slice(1).map((id, index) => `${allIds[index] ?? ''} > ${id}`));
};

const mappedTask = (options: ActivityOptions): ScopeContent => sequence(jobTask('a', options));

/** Cases for tasks and jobs (BPMN 2.0, 13.3.3 and 10.4), and for variable scopes and mappings as in Zeebe. */
export const TASK_CASES: readonly DifferentialCase[] = [
  singleProcessCase(
    'tasks: every kind one after the other',
    sequence(
      plainTask('a'),
      plainTask('b', 'manualTask'),
      scriptTask('c', 'c', '1 + 1'),
      jobTask('d'),
      receiveTask('e', 'm'),
      userTask('f'),
      throwEvent('g'),
    ),
    [{ complete: 'd', variables: { d: 'done' } }, { message: 'm', key: 'k', variables: { e: true } }, { approve: 'f' }],
  ),
  singleProcessCase(
    'script: a context',
    sequence(scriptTask('a', 'a', '{b: x, c: [x, {d: null}], "e f": "text"}')),
    [],
    { x: 7 },
  ),
  singleProcessCase('script: null', sequence(scriptTask('a', 'a', 'missing'))),
  singleProcessCase(
    'script: numbers',
    sequence(scriptTask('a', 'a', '[1.5 + 1.5, 10 / 4, 2 ** 3, -1, 0.1 + 0.25, round half up(2.5, 0)]')),
  ),
  singleProcessCase(
    'script: texts and null',
    sequence(
      scriptTask('a', 'a', '["a" + "b", "a" + missing, string(missing), string(1.5), string(true), upper case("ä")]'),
    ),
  ),
  singleProcessCase('script: the zeros of a number as a text', sequence(scriptTask('a', 'a', 'string(1.50)'))),
  singleProcessCase(
    'script: times',
    sequence(
      scriptTask(
        'a',
        'a',
        '[date("2024-02-29") + duration("P1Y"), time("10:00:00") - duration("PT30M"), date and time("2024-01-01T00:00:00Z"), duration("P1DT2H"), date("2024-01-31") + duration("P1M")]',
      ),
    ),
  ),
  singleProcessCase(
    'script: three-valued logic',
    sequence(
      scriptTask(
        'a',
        'a',
        '[missing and false, missing or true, not(missing), missing = null, missing > 1, if missing then 1 else 2]',
      ),
    ),
  ),
  singleProcessCase(
    'script: lists',
    sequence(
      scriptTask(
        'a',
        'a',
        '{first: xs[1], last: xs[-1], none: xs[9], some: xs[item > 1], sum: sum(xs), flat: flatten([xs, [xs]]), every: every x in xs satisfies x > 0, names: people.name}',
      ),
    ),
    [],
    { xs: [1, 2, 3], people: [{ name: 'A' }, { name: 'B' }] },
  ),
  singleProcessCase(
    'script: a result that overwrites',
    sequence(scriptTask('a', 'x', 'x + 1'), scriptTask('b', 'x', 'x * 10')),
    [],
    {
      x: 1,
    },
  ),
  singleProcessCase('script: an expression that fails', sequence(scriptTask('a', 'a', 'assert(x, x > 1)')), [], {
    x: 1,
  }),
  singleProcessCase(
    'mappings: inputs are local, results go to the process',
    mappedTask({ inputs: { local: 'x + 1' } }),
    [{ complete: 'a', variables: { result: 1 } }],
    { x: 1 },
  ),
  singleProcessCase(
    'mappings: an input shadows a variable, and a result of its name stays inside',
    mappedTask({ inputs: { x: 'x + 1' } }),
    [{ complete: 'a', variables: { x: 99, y: 2 } }],
    { x: 1 },
  ),
  singleProcessCase(
    'mappings: a result that is what the input was',
    mappedTask({ inputs: { x: '5' } }),
    [{ complete: 'a', variables: { x: 5 } }],
    { x: 1 },
  ),
  singleProcessCase('mappings: outputs keep everything else inside', mappedTask({ outputs: { y: 'result + 1' } }), [
    { complete: 'a', variables: { result: 1, lost: true } },
  ]),
  singleProcessCase(
    'mappings: outputs see inputs and earlier outputs',
    mappedTask({ inputs: { a: '1' }, outputs: { b: 'a + 1', c: 'b + 1' } }),
    [{ complete: 'a' }],
  ),
  singleProcessCase(
    'mappings: inputs see earlier inputs',
    mappedTask({ inputs: { a: '1', b: 'a + 1' }, outputs: { c: 'b' } }),
    [{ complete: 'a' }],
  ),
  singleProcessCase(
    'mappings: nested targets',
    mappedTask({ inputs: { 'into.a': '1', 'into.b.c': '2' }, outputs: { 'out.x': 'into.b.c', 'out.y': 'into.a' } }),
    [{ complete: 'a' }],
  ),
  singleProcessCase(
    'mappings: a nested target beside what is there',
    mappedTask({ outputs: { 'out.x': '1' } }),
    [{ complete: 'a' }],
    {
      out: { y: 2 },
    },
  ),
  singleProcessCase(
    'mappings: a nested target beside what lies deeper',
    mappedTask({ outputs: { 'out.a.x': '1', 'out.a.z': '3' } }),
    [{ complete: 'a' }],
    { out: { a: { y: 2 }, b: 4 } },
  ),
  singleProcessCase(
    'mappings: a nested target in what is no context',
    mappedTask({ outputs: { 'out.x': '1' } }),
    [{ complete: 'a' }],
    { out: 5 },
  ),
  singleProcessCase(
    'mappings: a nested target in null',
    mappedTask({ outputs: { 'out.x': '1' } }),
    [{ complete: 'a' }],
    {
      out: null,
    },
  ),
  singleProcessCase(
    'mappings: a nested input beside what is there',
    mappedTask({ inputs: { 'out.x': '1' }, outputs: { z: 'out' } }),
    [{ complete: 'a' }],
    { out: { y: 2 } },
  ),
  singleProcessCase(
    'mappings: a nested target beside the result of the job',
    mappedTask({ outputs: { 'out.x': '1' } }),
    [{ complete: 'a', variables: { out: { y: 9 } } }],
    { out: { y: 2 } },
  ),
  singleProcessCase(
    'mappings: of a signal that is thrown',
    sequence(throwEvent('a', signal('s'), { inputs: { p: '1' }, outputs: { z: 'p + 1' } })),
  ),
  singleProcessCase(
    'mappings: of an end event',
    scope([start(), end('end', '', { outputs: { z: '1' } })], 'start > end'),
  ),
  singleProcessCase(
    'mappings: of a start event',
    scope([start('start', '', true, { outputs: { z: 'x + 1' } }), end()], 'start > end'),
    [],
    { x: 1 },
  ),
  singleProcessCase('mappings: an input of null', mappedTask({ inputs: { a: 'missing' }, outputs: { b: 'a' } }), [
    { complete: 'a' },
  ]),
  singleProcessCase('mappings: an input that fails', mappedTask({ inputs: { a: 'assert(missing, missing != null)' } })),
  singleProcessCase(
    'mappings: an output that fails',
    mappedTask({ outputs: { a: 'assert(missing, missing != null)' } }),
    [{ complete: 'a' }],
  ),
  singleProcessCase(
    'mappings: a job that is completed with null',
    sequence(jobTask('a')),
    [{ complete: 'a', variables: { x: null } }],
    { x: 1 },
  ),
  singleProcessCase(
    'mappings: of a script',
    sequence(scriptTask('a', 'r', 'y + 1', { inputs: { y: '1' }, outputs: { z: 'r + y' } })),
  ),
  singleProcessCase('mappings: of a receive task', sequence(receiveTask('a', 'm', { outputs: { z: 'got + 1' } })), [
    { message: 'm', key: 'k', variables: { got: 1, lost: 2 } },
  ]),
  singleProcessCase(
    'mappings: of a catch event',
    sequence(catchEvent('a', message('m'), { outputs: { z: 'got + 1' } })),
    [{ message: 'm', key: 'k', variables: { got: 1, lost: 2 } }],
  ),
  singleProcessCase(
    'mappings: of a throw event',
    sequence(throwEvent('a', '', { inputs: { p: '1' }, outputs: { z: 'p + 1' } })),
  ),
  singleProcessCase(
    'mappings: of a user task',
    sequence(userTask('a', { inputs: { p: '1' }, outputs: { z: 'p + 1' } })),
    [{ approve: 'a' }],
  ),
  singleProcessCase(
    'variables: a sub-process with inputs holds what is set in it',
    sequence(subProcess('sub', scope([start('s'), jobTask('a'), end('e')], 's > a', 'a > e'), { inputs: { x: '10' } })),
    [{ complete: 'a', variables: { x: 11, y: 12 } }],
    { x: 1 },
  ),
  singleProcessCase(
    'variables: outputs of a sub-process',
    sequence(
      subProcess('sub', scope([start('s'), jobTask('a'), end('e')], 's > a', 'a > e'), {
        inputs: { x: '10' },
        outputs: { z: 'x + 1' },
      }),
    ),
    [{ complete: 'a', variables: { x: 11, y: 12 } }],
    { x: 1 },
  ),
  singleProcessCase(
    'variables: a sub-process without mappings',
    sequence(subProcess('sub', scope([start('s'), jobTask('a'), end('e')], 's > a', 'a > e'))),
    [{ complete: 'a', variables: { x: 11, y: 12 } }],
    { x: 1 },
  ),
  singleProcessCase(
    'variables: of an error that is caught',
    scope(
      [start(), jobTask('a', { inputs: { x: '5' } }), boundaryEvent('b', 'a', error('E')), end('end'), end('caught')],
      'start > a',
      'a > end',
      'b > caught',
    ),
    [{ throwError: 'a', code: 'E', variables: { x: 2, y: 3 } }],
    { x: 1 },
  ),
  singleProcessCase(
    'variables: outputs of a boundary event that catches an error',
    scope(
      [
        start(),
        jobTask('a', { inputs: { x: '5' } }),
        boundaryEvent('b', 'a', error('E'), true, { outputs: { z: 'x + y' } }),
        end('end'),
        end('caught'),
      ],
      'start > a',
      'a > end',
      'b > caught',
    ),
    [{ throwError: 'a', code: 'E', variables: { x: 2, y: 3 } }],
    { x: 1 },
  ),
  singleProcessCase(
    'variables: outputs of the start event of an event sub-process',
    scope(
      [
        start(),
        jobTask('a'),
        eventSubProcess(
          'handler',
          scope([start('on', message('m'), true, { outputs: { z: 'got' } }), end('off')], 'on > off'),
        ),
        end(),
      ],
      'start > a',
      'a > end',
    ),
    [{ message: 'm', key: 'k', variables: { got: 3 } }],
  ),
  singleProcessCase(
    'variables: outputs of a boundary event',
    scope(
      [
        start(),
        jobTask('a'),
        boundaryEvent('b', 'a', message('m'), true, { outputs: { z: 'got' } }),
        end('end'),
        end('caught'),
      ],
      'start > a',
      'a > end',
      'b > caught',
    ),
    [{ message: 'm', key: 'k', variables: { got: 3 } }],
  ),
  singleProcessCase(
    'variables: branches that write the same',
    scope(
      [
        start(),
        gateway('parallel', 'fork'),
        scriptTask('a', 'x', '1'),
        scriptTask('b', 'x', '2'),
        gateway('parallel', 'join'),
        end(),
      ],
      'start > fork',
      'fork > a',
      'fork > b',
      'a > join',
      'b > join',
      'join > end',
    ),
  ),
  singleProcessCase('jobs: one that fails', sequence(jobTask('a')), [{ fail: 'a' }]),
  singleProcessCase(
    'jobs: one of two that fails',
    scope(
      [start(), gateway('parallel', 'fork'), jobTask('a'), jobTask('b'), gateway('parallel', 'join'), end()],
      'start > fork',
      'fork > a',
      'fork > b',
      'a > join',
      'b > join',
      'join > end',
    ),
    [{ fail: 'a' }, { complete: 'b' }],
  ),
  singleProcessCase('jobs: an error that nothing catches', sequence(jobTask('a')), [{ throwError: 'a', code: 'E' }]),
  singleProcessCase(
    'jobs: a run that is cancelled',
    scope(
      [start(), gateway('parallel', 'fork'), jobTask('a'), userTask('b'), end()],
      'start > fork',
      'fork > a',
      'fork > b',
      'a > end',
      'b > end',
    ),
    [{ complete: 'a' }, { cancel: 'case' }],
  ),
];
