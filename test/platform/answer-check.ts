import formats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/domain/json.ts';

/**
 * Holds answers to an OpenAPI document of version 3.1, by a validator that knows nothing of this project. Gives what is wrong with
 * an answer; nothing for a path that the document does not have.
 */
export class AnswerCheck {
  readonly #document: JsonObject;
  readonly #library = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false });
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #paths: readonly { readonly key: string; readonly form: RegExp }[];

  constructor(document: JsonObject) {
    this.#document = document;
    formats.default(this.#library);
    this.#library.addSchema(document, 'document');
    this.#paths = Object.keys(memberOf(document, 'paths')).map((key) => ({
      key,
      form: new RegExp(`^(?:/v1)?${key.replace(/\{\w+\}/g, '[^/]+')}$`),
    }));
  }

  errors(method: string, path: string, { status, text }: { readonly status: number; readonly text: string }) {
    const [plain = ''] = path.split('?');
    const key = this.#paths.find(({ form }) => form.test(plain))?.key;
    if (key === undefined) return [];
    const operation = memberOf(memberOf(memberOf(this.#document, 'paths'), key), method.toLowerCase());
    const response = memberOf(memberOf(operation, 'responses'), String(status));
    if (Object.keys(operation).length === 0) return [];
    if (Object.keys(response).length === 0) return [`${method} ${key} does not list ${status}`];
    const content = memberOf(memberOf(response, 'content'), 'application/json');
    if (Object.keys(content).length === 0) return [];
    const pointer = ['paths', key, method.toLowerCase(), 'responses', String(status)]
      .concat('content', 'application/json', 'schema')
      .map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const check = this.#compiled.get(pointer) ?? this.#library.compile({ $ref: `document#/${pointer}` });
    this.#compiled.set(pointer, check);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    return check(body)
      ? []
      : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
}

function memberOf(object: JsonValue, name: string): JsonObject {
  const member = isJsonObject(object) ? object[name] : undefined;
  return isJsonObject(member ?? null) ? (member as JsonObject) : {};
}
