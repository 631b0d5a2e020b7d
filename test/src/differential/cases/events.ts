import { several, single, type DifferentialCase } from '../case.js';
import {
  boundary,
  caught,
  cycle,
  duration,
  end,
  error,
  escalation,
  eventSub,
  gateway,
  link,
  message,
  pass,
  scope,
  script,
  signal,
  start,
  sub,
  terminate,
  thrown,
  user,
  work,
  type ScopeContent,
} from '../model-text.js';

const attached = (definition: string, interrupting: boolean): ScopeContent =>
  scope(
    [start(), work('a'), boundary('b', 'a', definition, interrupting), pass('after'), end('end'), end('caught')],
    'start > a',
    'a > end',
    'b > after',
    'after > caught',
  );

/** Returns a task with an event sub-process beside it. */
const beside = (definition: string, interrupting: boolean): ScopeContent =>
  scope(
    [
      start(),
      work('a'),
      eventSub('handler', scope([start('on', definition, interrupting), work('h'), end('off')], 'on > h', 'h > off')),
      end(),
    ],
    'start > a',
    'a > end',
  );

/** BPMN 2.0, 13.5. */
export const EVENT_CASES: readonly DifferentialCase[] = [
  single('timer: a duration', scope([start(), caught('t', duration('PT1H')), end()], 'start > t', 't > end'), [
    { advance: 'PT59M' },
    { advance: 'PT1M' },
  ]),
  single(
    'timer: a duration that is an expression',
    scope([start(), caught('t', duration('=duration("PT" + string(n) + "M")')), end()], 'start > t', 't > end'),
    [{ advance: 'PT5M' }],
    { n: 5 },
  ),
  single(
    'timer: a duration that is none',
    scope([start(), caught('t', duration('=x')), end()], 'start > t', 't > end'),
    [],
    { x: 'soon' },
  ),
  single(
    'timer: several, the next one first',
    scope(
      [
        start(),
        gateway('parallel', 'fork'),
        caught('t3', duration('PT3H')),
        caught('t1', duration('PT1H')),
        caught('t2', duration('PT2H')),
        end(),
      ],
      'start > fork',
      'fork > t3',
      'fork > t1',
      'fork > t2',
      't3 > end',
      't1 > end',
      't2 > end',
    ),
    [{ advance: 'PT4H' }],
  ),
  single('boundary timer: interrupts', attached(duration('PT1H'), true), [{ advance: 'PT2H' }]),
  single('boundary timer: the task is faster', attached(duration('PT1H'), true), [
    { complete: 'a' },
    { advance: 'PT2H' },
  ]),
  single('boundary timer: does not interrupt', attached(duration('PT1H'), false), [
    { advance: 'PT2H' },
    { complete: 'a' },
  ]),
  single('boundary timer: a cycle that does not interrupt', attached(cycle('R3/PT1H'), false), [
    { advance: 'PT2H' },
    { complete: 'a' },
  ]),
  single('boundary timer: a cycle that ends', attached(cycle('R2/PT1H'), false), [
    { advance: 'PT5H' },
    { complete: 'a' },
  ]),
  single('boundary message: interrupts', attached(message('m'), true), [
    { message: 'm', key: 'k', variables: { x: 1 } },
    { message: 'm', key: 'k', variables: { x: 2 } },
  ]),
  single('boundary message: does not interrupt, several times', attached(message('m'), false), [
    { message: 'm', key: 'k', variables: { x: 1 } },
    { message: 'm', key: 'k', variables: { x: 2 } },
    { complete: 'a' },
    { message: 'm', key: 'k', variables: { x: 3 } },
  ]),
  single('boundary signal: interrupts', attached(signal('s'), true), [{ signal: 's', variables: { x: 1 } }]),
  single('boundary signal: does not interrupt, several times', attached(signal('s'), false), [
    { signal: 's' },
    { signal: 's' },
    { complete: 'a' },
  ]),
  single('boundary error: of a job', attached(error('E'), true), [{ throwError: 'a', code: 'E' }]),
  single('boundary error: another code', attached(error('E'), true), [{ throwError: 'a', code: 'F' }]),
  single('boundary error: any code', attached(error(), true), [{ throwError: 'a', code: 'F' }]),
  single(
    'boundary events: an error with its code before one for any, whatever order they have',
    scope(
      [
        start(),
        work('a'),
        boundary('any', 'a', error()),
        boundary('exact', 'a', error('E')),
        end('end'),
        end('caught-any'),
        end('caught-exact'),
      ],
      'start > a',
      'a > end',
      'any > caught-any',
      'exact > caught-exact',
    ),
    [{ throwError: 'a', code: 'E' }],
  ),
  single(
    'boundary events: several on one task',
    scope(
      [
        start(),
        work('a'),
        boundary('t', 'a', duration('PT1H'), false),
        boundary('m', 'a', message('m'), false),
        boundary('s', 'a', signal('s')),
        end('end'),
        pass('p'),
        pass('q'),
        pass('r'),
        end('e'),
      ],
      'start > a',
      'a > end',
      't > p',
      'm > q',
      's > r',
      'p > e',
      'q > e',
      'r > e',
    ),
    [{ message: 'm', key: 'k' }, { advance: 'PT2H' }, { message: 'm', key: 'k' }, { signal: 's' }],
  ),
  single(
    'boundary events: on a sub-process with several tokens in it',
    scope(
      [
        start(),
        sub(
          'sub',
          scope(
            [start('s'), gateway('parallel', 'fork'), work('a'), work('b'), user('c'), end('e')],
            's > fork',
            'fork > a',
            'fork > b',
            'fork > c',
            'a > e',
            'b > e',
            'c > e',
          ),
        ),
        boundary('m', 'sub', message('m')),
        pass('after'),
        end('end'),
        end('caught'),
      ],
      'start > sub',
      'sub > end',
      'm > after',
      'after > caught',
    ),
    [{ complete: 'a' }, { message: 'm', key: 'k' }],
  ),
  single(
    'boundary events: on a receive task and on a user task',
    scope(
      [start(), user('u'), boundary('t', 'u', duration('PT1H')), pass('p'), end('end'), end('e')],
      'start > u',
      'u > end',
      't > p',
      'p > e',
    ),
    [{ advance: 'PT1H' }],
  ),
  single('event sub-process: an interrupting message', beside(message('m'), true), [
    { message: 'm', key: 'k', variables: { x: 1 } },
    { complete: 'h' },
  ]),
  single('event sub-process: a message that does not interrupt, twice', beside(message('m'), false), [
    { message: 'm', key: 'k', variables: { x: 1 } },
    { message: 'm', key: 'k', variables: { x: 2 } },
    { complete: 'a' },
    { complete: 'h' },
    { complete: 'h', variables: { y: 2 } },
  ]),
  single('event sub-process: an interrupting timer', beside(duration('PT1H'), true), [
    { advance: 'PT1H' },
    { complete: 'h' },
  ]),
  single('event sub-process: a timer that does not interrupt', beside(duration('PT1H'), false), [
    { advance: 'PT3H' },
    { complete: 'h' },
    { complete: 'a' },
  ]),
  single('event sub-process: a cycle that does not interrupt', beside(cycle('R2/PT1H'), false), [
    { advance: 'PT5H' },
    { complete: 'h' },
    { complete: 'h' },
    { complete: 'a' },
  ]),
  single('event sub-process: an interrupting signal', beside(signal('s'), true), [{ signal: 's' }, { complete: 'h' }]),
  single('event sub-process: a signal that does not interrupt', beside(signal('s'), false), [
    { signal: 's' },
    { complete: 'a' },
    { complete: 'h' },
  ]),
  single('event sub-process: an error', beside(error('E'), true), [
    { throwError: 'a', code: 'E', variables: { x: 1 } },
    { complete: 'h' },
  ]),
  single(
    'event sub-process: within a sub-process, which it interrupts',
    scope(
      [
        start(),
        sub(
          'sub',
          scope(
            [
              start('s'),
              work('a'),
              eventSub(
                'handler',
                scope([start('on', message('m')), script('h', 'h', '1'), end('off')], 'on > h', 'h > off'),
              ),
              end('e'),
            ],
            's > a',
            'a > e',
          ),
        ),
        pass('after'),
        end(),
      ],
      'start > sub',
      'sub > after',
      'after > end',
    ),
    [{ message: 'm', key: 'k', variables: { got: 1 } }],
  ),
  single(
    'event sub-process: two of them, the second interrupts the first',
    scope(
      [
        start(),
        work('a'),
        eventSub('one', scope([start('on1', message('m'), false), work('h1'), end('off1')], 'on1 > h1', 'h1 > off1')),
        eventSub('two', scope([start('on2', message('n')), work('h2'), end('off2')], 'on2 > h2', 'h2 > off2')),
        end(),
      ],
      'start > a',
      'a > end',
    ),
    [{ message: 'm', key: 'k' }, { message: 'n', key: 'k' }, { complete: 'h2' }],
  ),
  single(
    'event sub-process: an error in it goes on to the one around it',
    scope(
      [
        start(),
        sub(
          'sub',
          scope(
            [
              start('s'),
              work('a'),
              eventSub(
                'handler',
                scope([start('on', error('E')), pass('h'), end('off', error('E'))], 'on > h', 'h > off'),
              ),
              end('e'),
            ],
            's > a',
            'a > e',
          ),
        ),
        boundary('b', 'sub', error('E')),
        end(),
        end('caught'),
      ],
      'start > sub',
      'sub > end',
      'b > caught',
    ),
    [{ throwError: 'a', code: 'E' }],
  ),
  single(
    'signal: thrown within the run',
    scope(
      [start(), gateway('parallel', 'fork'), caught('c', signal('s')), thrown('t', signal('s')), pass('p'), end()],
      'start > fork',
      'fork > c',
      'fork > t',
      'c > end',
      't > p',
      'p > end',
    ),
  ),
  single(
    'signal: thrown before it is waited for',
    scope([start(), thrown('t', signal('s')), caught('c', signal('s')), end()], 'start > t', 't > c', 'c > end'),
  ),
  single(
    'signal: an end event',
    scope(
      [start(), gateway('parallel', 'fork'), caught('c', signal('s')), end('t', signal('s')), end()],
      'start > fork',
      'fork > c',
      'fork > t',
      'c > end',
    ),
  ),
  several(
    'signal: two runs wait, and one is started by it',
    {
      waiting: scope([start(), caught('c', signal('s')), end()], 'start > c', 'c > end'),
      started: scope([start('start-s', signal('s')), pass('p'), end('end-s')], 'start-s > p', 'p > end-s'),
    },
    [{ start: 'waiting' }, { start: 'waiting', variables: { n: 2 } }, { signal: 's', variables: { x: 1 } }],
  ),
  several(
    'message: a start event',
    { started: scope([start('start', message('begin')), pass('p'), end()], 'start > p', 'p > end') },
    [
      { message: 'begin', key: '', variables: { x: 1 } },
      { message: 'begin', key: '', variables: { x: 2 } },
    ],
  ),
  several(
    'message: of two runs with the same key the older one, of other keys none',
    { case: scope([start(), caught('c', message('m')), end()], 'start > c', 'c > end') },
    [
      { start: 'case', variables: { key: 'other' } },
      { start: 'case', variables: { key: 'k', n: 1 } },
      { start: 'case', variables: { key: 'k', n: 2 } },
      { message: 'm', key: 'k', variables: { x: 1 } },
    ],
  ),
  single(
    'message: a key that is a number',
    scope([start(), caught('c', message('m')), end()], 'start > c', 'c > end'),
    [{ message: 'm', key: '7', variables: { x: 1 } }],
    { key: 7 },
  ),
  single('message: a key of null', scope([start(), caught('c', message('m')), end()], 'start > c', 'c > end'), [], {
    key: null,
  }),
  single(
    'message: twice the same in a run',
    scope(
      [start(), gateway('parallel', 'fork'), caught('c', message('m')), caught('d', message('m')), end()],
      'start > fork',
      'fork > c',
      'fork > d',
      'c > end',
      'd > end',
    ),
    [
      { message: 'm', key: 'k' },
      { message: 'm', key: 'k' },
    ],
  ),
  single(
    'link',
    scope([start(), thrown('l', link('L')), caught('c', link('L')), pass('p'), end()], 'start > l', 'c > p', 'p > end'),
  ),
  single(
    'link: two throws to one catch',
    scope(
      [
        start(),
        gateway('parallel', 'fork'),
        thrown('l1', link('L')),
        thrown('l2', link('L')),
        caught('c', link('L')),
        end(),
      ],
      'start > fork',
      'fork > l1',
      'fork > l2',
      'c > end',
    ),
  ),
  single(
    'terminate: ends all that is under way',
    scope(
      [start(), gateway('parallel', 'fork'), work('a'), user('b'), pass('c'), end('stop', terminate), end()],
      'start > fork',
      'fork > a',
      'fork > b',
      'fork > c',
      'a > end',
      'b > end',
      'c > stop',
    ),
  ),
  single(
    'terminate: ends its sub-process alone',
    scope(
      [
        start(),
        gateway('parallel', 'fork'),
        work('a'),
        sub(
          'sub',
          scope(
            [start('s'), gateway('parallel', 'split'), work('b'), pass('c'), end('stop', terminate), end('e')],
            's > split',
            'split > b',
            'split > c',
            'b > e',
            'c > stop',
          ),
        ),
        pass('after'),
        end(),
      ],
      'start > fork',
      'fork > a',
      'fork > sub',
      'sub > after',
      'after > end',
      'a > end',
    ),
    [{ complete: 'a' }],
  ),
  single(
    'escalation: an end event that nothing catches',
    scope([start(), pass('a'), end('end', escalation('X'))], 'start > a', 'a > end'),
  ),
  single(
    'error: an end event that nothing catches',
    scope([start(), pass('a'), end('end', error('E'))], 'start > a', 'a > end'),
  ),
  single(
    'error: an end event within a sub-process',
    scope(
      [
        start(),
        sub(
          'sub',
          scope(
            [start('s'), gateway('parallel', 'fork'), work('a'), end('bad', error('E')), end('e')],
            's > fork',
            'fork > a',
            'fork > bad',
            'a > e',
          ),
        ),
        boundary('b', 'sub', error('E')),
        pass('after'),
        end('end'),
        end('caught'),
      ],
      'start > sub',
      'sub > end',
      'b > after',
      'after > caught',
    ),
  ),
  single(
    'error: caught by the innermost that has its code',
    scope(
      [
        start(),
        sub(
          'outer',
          scope(
            [
              start('s1'),
              sub('inner', scope([start('s2'), work('a'), end('e2')], 's2 > a', 'a > e2')),
              boundary('b-inner', 'inner', error('F')),
              end('e1'),
              end('caught-inner'),
            ],
            's1 > inner',
            'inner > e1',
            'b-inner > caught-inner',
          ),
        ),
        boundary('b-outer', 'outer', error('E')),
        end('end'),
        end('caught-outer'),
      ],
      'start > outer',
      'outer > end',
      'b-outer > caught-outer',
    ),
    [{ throwError: 'a', code: 'E' }],
  ),
  single(
    'error: one for any within comes before its code without',
    scope(
      [
        start(),
        sub(
          'outer',
          scope(
            [
              start('s1'),
              sub('inner', scope([start('s2'), work('a'), end('e2')], 's2 > a', 'a > e2')),
              boundary('b-inner', 'inner', error()),
              end('e1'),
              end('caught-inner'),
            ],
            's1 > inner',
            'inner > e1',
            'b-inner > caught-inner',
          ),
        ),
        boundary('b-outer', 'outer', error('E')),
        end('end'),
        end('caught-outer'),
      ],
      'start > outer',
      'outer > end',
      'b-outer > caught-outer',
    ),
    [{ throwError: 'a', code: 'E' }],
  ),
  ...[true, false].map((interrupting) =>
    single(
      `escalation: a throw within a sub-process, ${interrupting ? 'interrupting' : 'not interrupting'}`,
      scope(
        [
          start(),
          sub(
            'sub',
            scope([start('s'), thrown('t', escalation('X')), pass('more'), end('e')], 's > t', 't > more', 'more > e'),
          ),
          boundary('b', 'sub', escalation('X'), interrupting),
          pass('after'),
          end('end'),
          end('caught'),
        ],
        'start > sub',
        'sub > end',
        'b > after',
        'after > caught',
      ),
    ),
  ),
  single(
    'escalation: an event sub-process that does not interrupt',
    scope(
      [
        start(),
        thrown('t', escalation('X')),
        work('a'),
        eventSub('handler', scope([start('on', escalation('X'), false), pass('h'), end('off')], 'on > h', 'h > off')),
        end(),
      ],
      'start > t',
      't > a',
      'a > end',
    ),
    [{ complete: 'a' }],
  ),
  single(
    'escalation: an end event caught by any',
    scope(
      [
        start(),
        sub('sub', scope([start('s'), end('e', escalation('X'))], 's > e')),
        boundary('b', 'sub', escalation(), false),
        pass('after'),
        end('end'),
        end('caught'),
      ],
      'start > sub',
      'sub > end',
      'b > after',
      'after > caught',
    ),
  ),
];
