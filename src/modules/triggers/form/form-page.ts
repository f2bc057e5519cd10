import { createHash } from 'node:crypto';
import type { InputField } from '../../../engine/workflow/graph/input-fields.js';
import { controlOf } from './form-values.js';

/** The name of the hidden field with the id of the submission. */
export const SUBMISSION_FIELD = '_submission';

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:0;padding:2rem 1rem}
main{max-width:36rem;margin:auto}h1{font-size:1.5rem;line-height:1.25}p{white-space:pre-line}label,legend{display:block;font-weight:600}
.field{margin:1.25rem 0;border:0;padding:0}.hint{font-size:.875rem;opacity:.8}.fault{color:#c92a2a;font-weight:600}
@media(prefers-color-scheme:dark){.fault{color:#ffa8a8}}
input:not([type=checkbox]),textarea,select{box-sizing:border-box;width:100%;padding:.5rem;font:inherit;border:1px solid #868e96;border-radius:4px}
.box{font-weight:400}button{padding:.6rem 1.2rem;font:inherit;font-weight:600;color:#fff;background:#1864ab;border:0;border-radius:4px;cursor:pointer}
:focus-visible{outline:3px solid #4dabf7;outline-offset:2px}pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:1rem;border:1px solid #868e96;border-radius:4px}`;
/** The Content-Security-Policy of the page: one style, no scripts, and a form that is sent to the address of the page. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** The content of the page of a form. */
export interface FormContent {
  title: string;
  description: string;
  submitLabel: string;
  fields: readonly InputField[];
  /** Values of a refused submission. */
  values: Readonly<Record<string, unknown>>;
  /** Messages by field id; those of the whole form have the id ''. */
  faults: ReadonlyMap<string, string>;
  /** Id of the submission, which the page sends with its values. */
  submission: string;
}

/** Returns the page with the fields of a workflow. */
export function renderFormPage({
  title,
  description,
  submitLabel,
  fields,
  values,
  faults,
  submission,
}: FormContent): string {
  const whole = faults.get('');
  const problem =
    faults.size === 0
      ? ''
      : `<p class="fault" role="alert">${escapeHtml(whole ?? 'Please correct the marked fields.')}</p>`;
  const controls = fields.map((field, index) => {
    const given = Object.hasOwn(values, field.id) ? values[field.id] : undefined;
    return fieldHtml(field, `f${index}`, given, faults.get(field.id));
  });
  return renderPage(
    title,
    `${description === '' ? '' : `<p>${escapeHtml(description)}</p>`}${problem}
<form method="post" enctype="multipart/form-data"><input type="hidden" name="${SUBMISSION_FIELD}" value="${escapeHtml(submission)}">
${controls.join('\n')}
<button type="submit">${escapeHtml(submitLabel)}</button></form>`,
  );
}

/** Returns a page with a text, and a result if there is one. */
export function renderTextPage(title: string, text: string, result?: string): string {
  return renderPage(
    title,
    `<p role="status">${escapeHtml(text)}</p>${result === undefined ? '' : `<pre>${escapeHtml(result)}</pre>`}`,
  );
}

function renderPage(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>`;
}

function fieldHtml(field: InputField, id: string, given: unknown, fault: string | undefined): string {
  const shown = given ?? shownDefault(field);
  const hint = field.tooltip === '' ? '' : `<div class="hint" id="${id}-hint">${escapeHtml(field.tooltip)}</div>`;
  const message = fault === undefined ? '' : `<div class="fault" id="${id}-fault">${escapeHtml(fault)}</div>`;
  const described = [hint && `${id}-hint`, message && `${id}-fault`].filter(Boolean).join(' ');
  const attributes = `id="${id}"${described === '' ? '' : ` aria-describedby="${described}"`}${attributesOf(field, fault)}`;
  const title = escapeHtml(field.title) + (field.input_requirements ? ' <span aria-hidden="true">*</span>' : '');
  switch (controlOf(field)) {
    case 'check': {
      const mark = String(shown) === 'true' ? ' checked' : '';
      return `<div class="field"><label class="box"><input type="checkbox" value="on"${mark} ${attributes}> ${title}</label>${hint}${message}</div>`;
    }
    case 'many':
      return `<fieldset class="field"><legend>${title}</legend>${hint}${optionBoxesHtml(field, shown)}${message}</fieldset>`;
    default:
      return `<div class="field"><label for="${id}">${title}</label>${hint}${controlHtml(field, attributes, shown)}${message}</div>`;
  }
}

function shownDefault(field: InputField): unknown {
  return field.is_secret ? undefined : field.default_value;
}

function attributesOf(field: InputField, fault: string | undefined): string {
  // A required checkbox could not be sent unmarked, although false is a value.
  const isRequired = field.input_requirements && controlOf(field) !== 'check';
  return [
    ` name="${escapeHtml(field.id)}"`,
    fault === undefined ? '' : ' aria-invalid="true"',
    isRequired ? ' required' : '',
    field.placeholder === '' ? '' : ` placeholder="${escapeHtml(field.placeholder)}"`,
  ].join('');
}

/** Attributes of the input element, for controls whose type does not have their name. */
const INPUT_ATTRIBUTES: Readonly<Record<string, string>> = {
  secret: 'type="password"',
  time: 'type="datetime-local"',
  number: 'type="number" step="any"',
};

function controlHtml(field: InputField, attributes: string, shown: unknown): string {
  const control = controlOf(field);
  if (control === 'long') return `<textarea rows="5" ${attributes}>${escapeHtml(textOf(shown))}</textarea>`;
  if (control === 'one') {
    const isShown = (value: unknown, isDefault: boolean) =>
      shown === undefined || shown === null || shown === '' ? isDefault : isSame(value, shown);
    const options = field.options.map(
      ({ title, value, is_default }, index) =>
        `<option value="${index}"${isShown(value, is_default) ? ' selected' : ''}>${escapeHtml(title)}</option>`,
    );
    return `<select ${attributes}><option value=""></option>${options.join('')}</select>`;
  }
  const value = control === 'file' || control === 'secret' ? '' : ` value="${escapeHtml(textOf(shown))}"`;
  return `<input ${INPUT_ATTRIBUTES[control] ?? `type="${control}"`}${value} ${attributes}>`;
}

function optionBoxesHtml({ id, options }: InputField, shown: unknown): string {
  const marked = Array.isArray(shown) ? shown : undefined;
  return options
    .map(({ title, value, is_default }, index) => {
      const isMarked = marked ? marked.some(each => isSame(each, value)) : is_default;
      return `<label class="box"><input type="checkbox" name="${escapeHtml(id)}" value="${index}"${isMarked ? ' checked' : ''}> ${escapeHtml(title)}</label>`;
    })
    .join('');
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character]!);
}
