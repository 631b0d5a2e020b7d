// Names that GLOSSARY.md replaced by the field's words: a rule that refuses them where something is declared, and in names of files.
import { basename } from 'node:path';

/** What a name may not hold, and what to call it instead. Names of stored columns and of members of JSON are not looked at. */
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
    context.report({ node, message: `"${name}": GLOSSARY.md has another word. Say ${instead}.` });
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
