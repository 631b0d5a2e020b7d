// Renders the reference of run events from `RunEventMap` of @countersign/model, with the comments of its members.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const SOURCE = fileURLToPath(new URL('../packages/model/src/run-event-map.ts', import.meta.url));
/** Types that the page explains. */
const EXPLAINED_TYPES = new Set(['RecordedActor', 'Json', 'JsonObject']);

/**
 * Returns a Markdown section for each type of run event.
 *
 * @param {Readonly<Record<string, { version: number, description: string }>>} definitions
 */
export function renderRunEventTypes(definitions) {
  const program = ts.createProgram([SOURCE], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(SOURCE);
  const declaration = source.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === 'RunEventMap',
  );
  const map = checker.getTypeAtLocation(declaration);
  return Object.entries(definitions)
    .map(([type, { version, description }]) => {
      const parts = checker.getTypeOfSymbol(map.getProperty(type));
      const members = ['data', 'private'].flatMap((part) =>
        listMembers(checker, checker.getTypeOfSymbol(parts.getProperty(part))).map((member) =>
          renderMember(part, member),
        ),
      );
      return [`## \`${type}\``, `${description} Version ${version}.`, members.join('\n')].filter(Boolean).join('\n\n');
    })
    .join('\n\n');
}

function renderMember(part, { name, type, optional, description }) {
  return `- \`${part}.${name}\`: ${type}${optional ? ', optional' : ''}${description === '' ? '' : `. ${description}`}`;
}

/** Lists the members of a part; those of an optional part are optional. */
function listMembers(checker, part) {
  const types = part.isUnion() ? part.types : [part];
  const objects = types.filter(({ flags }) => (flags & ts.TypeFlags.Null) === 0);
  const names = [...new Set(objects.flatMap((object) => object.getProperties().map(({ name }) => name)))];
  return names.map((name) => {
    const symbols = objects.flatMap((object) => object.getProperty(name) ?? []);
    const [symbol] = symbols;
    const type = printType(checker, checker.getNonNullableType(checker.getTypeOfSymbol(symbol)));
    const isNullable = symbols.some((each) => isUnionWithNull(checker.getTypeOfSymbol(each)));
    const text = type + (isNullable ? ' | null' : '');
    return {
      name,
      optional: symbols.length < types.length || symbols.some(({ flags }) => (flags & ts.SymbolFlags.Optional) !== 0),
      type: `\`${text}\``,
      description: ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' '),
    };
  });
}

/** Prints a type in the syntax of TypeScript. Prints the members of interfaces, except those that the page explains. */
function printType(checker, type) {
  if (checker.isArrayType(type)) return `${printType(checker, checker.getTypeArguments(type)[0])}[]`;
  const name = (type.aliasSymbol ?? type.symbol)?.name;
  const isInterface = type.isClassOrInterface() && !EXPLAINED_TYPES.has(name);
  if (isInterface) {
    const members = type
      .getProperties()
      .map((member) => `${member.name}: ${printType(checker, checker.getTypeOfSymbol(member))};`);
    return `{ ${members.join(' ')} }`;
  }
  return checker
    .typeToString(
      type,
      undefined,
      ts.TypeFormatFlags.NoTruncation |
        ts.TypeFormatFlags.InTypeAlias |
        ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType,
    )
    .replaceAll('readonly ', '');
}

function isUnionWithNull(type) {
  return type.isUnion() && type.types.some(({ flags }) => (flags & ts.TypeFlags.Null) !== 0);
}
