/** A form with files: the name and the content of each file by the name of its part. */
export function formOf(
  fields: Record<string, string>,
  files: Record<string, [filename: string, content: string | Uint8Array]> = {},
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, [filename, content]] of Object.entries(files))
    form.append(name, new Blob([content as Uint8Array<ArrayBuffer>]), filename);
  return form;
}
