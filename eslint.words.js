// A rule that refuses names that GLOSSARY.md has replaced, in declarations and in file names.
import { basename } from 'node:path';

/**
 * Patterns of refused names, each with its replacement. The rule ignores names of database columns and JSON members.
 */
const WORDS = [
  [/^(?:MOST|LEAST)(?:_|$)/, 'MAX_ or MIN_'],
  [/^(?:ask|do|run)?in-?turn$/i, 'a mutex (in one process: keyed mutex), or "in sequence"'],
  [/channel-?looker/i, 'message correlator'],
  [/^answerables?$/i, 'initiator'],
  [/freshest/i, 'coalescing loader'],
  [/when-?gathered/i, 'batch scheduler'],
  [/put-?together/i, 'compose'],
  [/^(?:un-?)?said$/i, 'what it is: statement, text, input, reported'],
  [/^(?:un-?)?heeded$/i, 'applied, or respected'],
  [/^homeless$/i, 'unassigned, or without a parent'],
  [/in-?force$/i, 'current or available'],
  [/at-?hand$/i, 'current, or what it is'],
  [/^(?:is-?)?(?:beside|elsewhere|theirs)$/i, 'what it is: outside, other, remote'],
  [/(?:^|-)faults?$|Faults?$/, 'error (fault: only what a test injects)'],
  [/^(?:is-?)?told$/i, 'what it is: reported, sent, privateData, inHistory'],
  [/journal-?seat/i, 'position in the history'],
  [/unheard/i, 'unmatched'],
  [/^go-?on$/i, 'proceed, continue or resume'],
  [/^take-?up$/i, 'claim or start'],
  [/^hand-?in$/i, 'submit'],
  [/^ask-?again$/i, 'retry (a request), reopen (an approval)'],
  [/^(?:stored|command)-?answers?$/i, 'response'],
  [/^(?:decision|session)-?outbox$|^outbox-?(?:entry|bar)$/i, 'pending vote'],
  [/^(?:lost|unsettled)-?votes?$/i, 'unconfirmed vote'],
  [/^judgement$/i, 'evaluate, evaluation'],
  [/^jobs?-?in-?hand$/i, 'running job'],
  [/^die-?with-?us$/i, 'kill on exit'],
  [/^(?:deliverer|bringing)$/i, 'outbox dispatcher'],
  [/^wakeable-?loop$/i, 'background loop'],
  [/^what-?if$|^(?:past|lost)-?questions?$/i, 'policy trial, recorded request'],
  [/^(?:unbegun|begun-?jobs|jobs-?unbegun)$/i, 'claimed or unclaimed'],
  [/^(?:signing-?desk|vote-?journal|shown-?ledger)$/i, 'service or store'],
  [/^revealed$|^(?:make-?)?honest(?:-?(?:model|text))?$/i, 'escape (invisible characters, labels)'],
  [/togetherness|what-?holds-?together/i, 'concurrency relation'],
  [/^(?:request-?)?fate(?:-?of)?$/i, 'outcome'],
  [
    /^(?!(?:all|any|one|nestedAny|toAny|compileInstance|as|inPlace|onBehalf|turn)Of$)[a-z]\w*[a-z]Of$/,
    'get, find or read, and what it returns',
  ],
  [
    /^(?:is-?|was-?|were-?)?gone$|^(?:is-?)?enough$|^meanwhile$|^heard$|^meant$/i,
    'what it is: removed, ended, sufficient, received',
  ],
  [/^what$|^(?:many|few)$/i, 'kind, name or description; how many of what'],
  [/^(?:is-?)?under-?way$/i, 'active or pending'],
  [/^at-?once$|[a-z]AtOnce$/, 'concurrently or immediately; MAX_CONCURRENCY'],
  [/^mend(?:er|ed|ing)?$/i, 'fix, repair or correct'],
  [/^(?:some|any|every)body$/i, 'someone, anyone, everyone'],
  [/^looks?$|^looked$/i, 'review, appearance'],
  [/^(?:no|only)-?way-?in$/i, 'what is missing: not configured'],
  [/^(?:chain-?)?rival(?:s|-?\w+)?$/i, 'concurrent'],
  [/^(?:extent|pace|beat)$/i, 'viewed share; throttle; heartbeat'],
  [/^(?:find|read)?-?starters?$/i, 'initiator'],
  [/people-?in-?history/i, 'recorded facts'],
  [/^decided-?by-?model$/i, 'outcomeHandledByBpmn'],
  [/^key-?news$/i, 'key notifications'],
  [/^quiet(?!Until$)/, 'mute (notifications)'],
  [/^except[A-Z]/, 'excluded…'],
  [/^(?:most|least)$/, 'maximum or minimum (of what)'],
];

const DECLARED = [
  ':matches(VariableDeclarator, FunctionDeclaration, FunctionExpression, ClassDeclaration, TSTypeAliasDeclaration, TSInterfaceDeclaration) > Identifier.id',
  ':function > Identifier.params',
  ':function > AssignmentPattern.params > Identifier.left',
  ':matches(PropertyDefinition, MethodDefinition) > :matches(Identifier, PrivateIdentifier).key',
  'ObjectPattern > Property > Identifier.value',
  'ObjectPattern > Property > AssignmentPattern.value > Identifier.left',
  'ArrayPattern > Identifier.elements',
];

const check = (context, node, name) => {
  const [, instead] = WORDS.find(([word]) => word.test(name)) ?? [];
  if (instead !== undefined)
    context.report({ node, message: `GLOSSARY.md replaces the name "${name}". Use: ${instead}.` });
};

export const words = {
  rules: {
    glossary: {
      meta: { type: 'suggestion', schema: [] },
      create: (context) => ({
        Program: (node) => check(context, node, basename(context.filename).replace(/\..*$/, '')),
        [DECLARED.join(', ')]: (node) => check(context, node, node.name),
      }),
    },
  },
};
