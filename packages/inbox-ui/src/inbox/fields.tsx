import { Fragment, type ReactNode } from 'react';

/** A name with its value; a value that `fills` the width is displayed below its name. */
export type Field = readonly [name: string, value: ReactNode, width?: 'fills' | undefined];

/** List of names with their values. */
export function Fields({ label, fields }: { readonly label: string; readonly fields: readonly Field[] }) {
  return (
    <dl className="cs-fields" aria-label={label}>
      {fields.map(([name, value, width], index) => (
        <Fragment key={index}>
          <dt data-width={width}>{name}</dt>
          <dd data-width={width} data-part="">
            {value}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
