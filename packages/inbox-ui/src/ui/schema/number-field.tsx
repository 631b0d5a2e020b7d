import { getSchemaType, getTemplate, type FieldProps, type RJSFSchema, type WidgetProps } from '@rjsf/utils';
import { useState } from 'react';
import { parseNumberText, formatNumberText } from './number-text.js';

/** Returns whether values of a schema are edited with a {@link NumberWidget}. */
export function isNumeric(schema: RJSFSchema): boolean {
  const type = getSchemaType(schema);
  return type === 'number' || type === 'integer';
}

/**
 * A number field that leaves the conversion to {@link NumberWidget}. The library's own field converts any text to a
 * double, even if digits are lost.
 */
export function NumberField(props: FieldProps) {
  const { StringField } = props.registry.fields;
  return StringField === undefined ? null : <StringField {...props} />;
}

/**
 * Returns the input mode for a number. None if it may be negative, because the numeric keyboards of some phones have no
 * minus sign.
 */
function getInputModeOptions(schema: RJSFSchema): { readonly inputMode?: 'numeric' | 'decimal' } {
  const { minimum = -1, exclusiveMinimum = -1 } = schema;
  if (Number(minimum) < 0 && Number(exclusiveMinimum) < 0) return {};
  return { inputMode: getSchemaType(schema) === 'integer' ? 'numeric' : 'decimal' };
}

/** A text field for a number. The theme's input rounds long numbers and forces others into the range. */
export function NumberWidget(props: WidgetProps) {
  const { value, onChange, schema, options, registry } = props;
  const [typedText, setTypedText] = useState(() => formatNumberText(value));
  const BaseInput = getTemplate('BaseInputTemplate', registry, options);
  const change = (text: string | undefined): void => {
    setTypedText(text ?? '');
    onChange(parseNumberText(text ?? ''));
  };
  return (
    <BaseInput
      {...props}
      type="text"
      // As typed ("1.50"), unless the value was changed elsewhere.
      value={parseNumberText(typedText) === value ? typedText : formatNumberText(value)}
      options={{ ...options, ...getInputModeOptions(schema) }}
      onChange={change}
    />
  );
}
