import { single, type DifferentialCase } from '../case.js';
import {
  boundary,
  caught,
  end,
  error,
  eventSub,
  gateway,
  message,
  pass,
  receive,
  scope,
  script,
  signal,
  start,
  sub,
  thrown,
  user,
  work,
  type ActivityOptions,
  type ScopeContent,
} from '../model-text.js';

/** BPMN 2.0, 13.3.3 and 10.4; Zeebe: variable scopes, input and output mappings. */
const around = (...elements: readonly string[]): ScopeContent => {
  const ids = elements.map((element) => /\bid="([^"]+)"/.exec(element)?.[1] ?? '');
  const all = ['start', ...ids, 'end'];
  return scope([start(), ...elements, end()], ...all.slice(1).map((id, index) => `${all[index] ?? ''} > ${id}`));
};

const mapped = (options: ActivityOptions): ScopeContent => around(work('a', options));

export const TASK_CASES: readonly DifferentialCase[] = [
  single(
    'tasks: every kind one after the other',
    around(
      pass('a'),
      pass('b', 'manualTask'),
      script('c', 'c', '1 + 1'),
      work('d'),
      receive('e', 'm'),
      user('f'),
      thrown('g'),
    ),
    [{ complete: 'd', variables: { d: 'done' } }, { message: 'm', key: 'k', variables: { e: true } }, { approve: 'f' }],
  ),
  single('script: a context', around(script('a', 'a', '{b: x, c: [x, {d: null}], "e f": "text"}')), [], { x: 7 }),
  single('script: null', around(script('a', 'a', 'missing'))),
  single(
    'script: numbers',
    around(script('a', 'a', '[1.5 + 1.5, 10 / 4, 2 ** 3, -1, 0.1 + 0.25, round half up(2.5, 0)]')),
  ),
  single(
    'script: texts and null',
    around(script('a', 'a', '["a" + "b", "a" + missing, string(missing), string(1.5), string(true), upper case("ä")]')),
  ),
  single('script: the zeros of a number as a text', around(script('a', 'a', 'string(1.50)'))),
  single(
    'script: times',
    around(
      script(
        'a',
        'a',
        '[date("2024-02-29") + duration("P1Y"), time("10:00:00") - duration("PT30M"), date and time("2024-01-01T00:00:00Z"), duration("P1DT2H"), date("2024-01-31") + duration("P1M")]',
      ),
    ),
  ),
  single(
    'script: three-valued logic',
    around(
      script(
        'a',
        'a',
        '[missing and false, missing or true, not(missing), missing = null, missing > 1, if missing then 1 else 2]',
      ),
    ),
  ),
  single(
    'script: lists',
    around(
      script(
        'a',
        'a',
        '{first: xs[1], last: xs[-1], none: xs[9], some: xs[item > 1], sum: sum(xs), flat: flatten([xs, [xs]]), every: every x in xs satisfies x > 0, names: people.name}',
      ),
    ),
    [],
    { xs: [1, 2, 3], people: [{ name: 'A' }, { name: 'B' }] },
  ),
  single('script: a result that overwrites', around(script('a', 'x', 'x + 1'), script('b', 'x', 'x * 10')), [], {
    x: 1,
  }),
  single('script: an expression that fails', around(script('a', 'a', 'assert(x, x > 1)')), [], { x: 1 }),
  single(
    'mappings: inputs are local, results go to the process',
    mapped({ inputs: { local: 'x + 1' } }),
    [{ complete: 'a', variables: { result: 1 } }],
    { x: 1 },
  ),
  single(
    'mappings: an input shadows a variable, and a result of its name stays inside',
    mapped({ inputs: { x: 'x + 1' } }),
    [{ complete: 'a', variables: { x: 99, y: 2 } }],
    { x: 1 },
  ),
  single(
    'mappings: a result that is what the input was',
    mapped({ inputs: { x: '5' } }),
    [{ complete: 'a', variables: { x: 5 } }],
    { x: 1 },
  ),
  single('mappings: outputs keep everything else inside', mapped({ outputs: { y: 'result + 1' } }), [
    { complete: 'a', variables: { result: 1, lost: true } },
  ]),
  single(
    'mappings: outputs see inputs and earlier outputs',
    mapped({ inputs: { a: '1' }, outputs: { b: 'a + 1', c: 'b + 1' } }),
    [{ complete: 'a' }],
  ),
  single('mappings: inputs see earlier inputs', mapped({ inputs: { a: '1', b: 'a + 1' }, outputs: { c: 'b' } }), [
    { complete: 'a' },
  ]),
  single(
    'mappings: nested targets',
    mapped({ inputs: { 'into.a': '1', 'into.b.c': '2' }, outputs: { 'out.x': 'into.b.c', 'out.y': 'into.a' } }),
    [{ complete: 'a' }],
  ),
  single('mappings: a nested target beside what is there', mapped({ outputs: { 'out.x': '1' } }), [{ complete: 'a' }], {
    out: { y: 2 },
  }),
  single(
    'mappings: a nested target beside what lies deeper',
    mapped({ outputs: { 'out.a.x': '1', 'out.a.z': '3' } }),
    [{ complete: 'a' }],
    { out: { a: { y: 2 }, b: 4 } },
  ),
  single(
    'mappings: a nested target in what is no context',
    mapped({ outputs: { 'out.x': '1' } }),
    [{ complete: 'a' }],
    { out: 5 },
  ),
  single('mappings: a nested target in null', mapped({ outputs: { 'out.x': '1' } }), [{ complete: 'a' }], {
    out: null,
  }),
  single(
    'mappings: a nested input beside what is there',
    mapped({ inputs: { 'out.x': '1' }, outputs: { z: 'out' } }),
    [{ complete: 'a' }],
    { out: { y: 2 } },
  ),
  single(
    'mappings: a nested target beside the result of the job',
    mapped({ outputs: { 'out.x': '1' } }),
    [{ complete: 'a', variables: { out: { y: 9 } } }],
    { out: { y: 2 } },
  ),
  single(
    'mappings: of a signal that is thrown',
    around(thrown('a', signal('s'), { inputs: { p: '1' }, outputs: { z: 'p + 1' } })),
  ),
  single('mappings: of an end event', scope([start(), end('end', '', { outputs: { z: '1' } })], 'start > end')),
  single(
    'mappings: of a start event',
    scope([start('start', '', true, { outputs: { z: 'x + 1' } }), end()], 'start > end'),
    [],
    { x: 1 },
  ),
  single('mappings: an input of null', mapped({ inputs: { a: 'missing' }, outputs: { b: 'a' } }), [{ complete: 'a' }]),
  single('mappings: an input that fails', mapped({ inputs: { a: 'assert(missing, missing != null)' } })),
  single('mappings: an output that fails', mapped({ outputs: { a: 'assert(missing, missing != null)' } }), [
    { complete: 'a' },
  ]),
  single(
    'mappings: a job that is completed with null',
    around(work('a')),
    [{ complete: 'a', variables: { x: null } }],
    { x: 1 },
  ),
  single('mappings: of a script', around(script('a', 'r', 'y + 1', { inputs: { y: '1' }, outputs: { z: 'r + y' } }))),
  single('mappings: of a receive task', around(receive('a', 'm', { outputs: { z: 'got + 1' } })), [
    { message: 'm', key: 'k', variables: { got: 1, lost: 2 } },
  ]),
  single('mappings: of a catch event', around(caught('a', message('m'), { outputs: { z: 'got + 1' } })), [
    { message: 'm', key: 'k', variables: { got: 1, lost: 2 } },
  ]),
  single('mappings: of a throw event', around(thrown('a', '', { inputs: { p: '1' }, outputs: { z: 'p + 1' } }))),
  single('mappings: of a user task', around(user('a', { inputs: { p: '1' }, outputs: { z: 'p + 1' } })), [
    { approve: 'a' },
  ]),
  single(
    'variables: a sub-process with inputs holds what is set in it',
    around(sub('sub', scope([start('s'), work('a'), end('e')], 's > a', 'a > e'), { inputs: { x: '10' } })),
    [{ complete: 'a', variables: { x: 11, y: 12 } }],
    { x: 1 },
  ),
  single(
    'variables: outputs of a sub-process',
    around(
      sub('sub', scope([start('s'), work('a'), end('e')], 's > a', 'a > e'), {
        inputs: { x: '10' },
        outputs: { z: 'x + 1' },
      }),
    ),
    [{ complete: 'a', variables: { x: 11, y: 12 } }],
    { x: 1 },
  ),
  single(
    'variables: a sub-process without mappings',
    around(sub('sub', scope([start('s'), work('a'), end('e')], 's > a', 'a > e'))),
    [{ complete: 'a', variables: { x: 11, y: 12 } }],
    { x: 1 },
  ),
  single(
    'variables: of an error that is caught',
    scope(
      [start(), work('a', { inputs: { x: '5' } }), boundary('b', 'a', error('E')), end('end'), end('caught')],
      'start > a',
      'a > end',
      'b > caught',
    ),
    [{ throwError: 'a', code: 'E', variables: { x: 2, y: 3 } }],
    { x: 1 },
  ),
  single(
    'variables: outputs of a boundary event that catches an error',
    scope(
      [
        start(),
        work('a', { inputs: { x: '5' } }),
        boundary('b', 'a', error('E'), true, { outputs: { z: 'x + y' } }),
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
  single(
    'variables: outputs of the start event of an event sub-process',
    scope(
      [
        start(),
        work('a'),
        eventSub(
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
  single(
    'variables: outputs of a boundary event',
    scope(
      [
        start(),
        work('a'),
        boundary('b', 'a', message('m'), true, { outputs: { z: 'got' } }),
        end('end'),
        end('caught'),
      ],
      'start > a',
      'a > end',
      'b > caught',
    ),
    [{ message: 'm', key: 'k', variables: { got: 3 } }],
  ),
  single(
    'variables: branches that write the same',
    scope(
      [
        start(),
        gateway('parallel', 'fork'),
        script('a', 'x', '1'),
        script('b', 'x', '2'),
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
  single('jobs: one that fails', around(work('a')), [{ fail: 'a' }]),
  single(
    'jobs: one of two that fails',
    scope(
      [start(), gateway('parallel', 'fork'), work('a'), work('b'), gateway('parallel', 'join'), end()],
      'start > fork',
      'fork > a',
      'fork > b',
      'a > join',
      'b > join',
      'join > end',
    ),
    [{ fail: 'a' }, { complete: 'b' }],
  ),
  single('jobs: an error that nothing catches', around(work('a')), [{ throwError: 'a', code: 'E' }]),
  single(
    'jobs: a run that is cancelled',
    scope(
      [start(), gateway('parallel', 'fork'), work('a'), user('b'), end()],
      'start > fork',
      'fork > a',
      'fork > b',
      'a > end',
      'b > end',
    ),
    [{ complete: 'a' }, { cancel: 'case' }],
  ),
];
