import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';

interface FilterInputProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder?: string;
  onChange(value: string | undefined): void;
}

/**
 * Text filter that is applied on Enter or when the field loses the focus. It is not applied during typing, because the
 * server matches only complete values.
 */
export function FilterInput({ label, value = '', placeholder, onChange }: FilterInputProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const apply = (): void => {
    if (text.trim() !== value) onChange(text.trim() || undefined);
  };
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      w={180}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  );
}
