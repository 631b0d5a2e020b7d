import { Text } from '@mantine/core';
import type { JsonValue } from '@countersign/contract';
import { Fragment, type ReactNode } from 'react';
import { JsonView } from '../ui/json-view.js';
import { escapeInvisible } from '../ui/escape-invisible.js';

/** A name with its value; a value that `fills` the width is displayed below its name. */
export type Field = readonly [name: string, value: ReactNode, width?: 'fills' | undefined];

/** List of names with their values. */
export function Fields({ label, fields }: { readonly label: string; readonly fields: readonly Field[] }) {
  return (
    <dl className="cs-fields" aria-label={label}>
      {fields.map(([name, value, width], index) => (
        <Fragment key={index}>
          <dt data-width={width}>{name}</dt>
          <dd data-width={width}>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/**
 * A value in its most readable form: strings as plain text, objects and arrays with members as a tree, other values as
 * JSON.
 */
export function SubjectValue({ value, label }: { readonly value: JsonValue; readonly label: string }) {
  if (typeof value === 'string')
    return (
      <pre className="cs-long-text" dir="auto">
        {escapeInvisible(value)}
      </pre>
    );
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    return <JsonView value={value} label={label} maxHeight={260} />;
  return (
    <Text component="span" size="sm" ff="monospace">
      {JSON.stringify(value)}
    </Text>
  );
}
