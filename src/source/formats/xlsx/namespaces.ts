/** Content for readers that know a namespace, and what the others take in its place (ECMA-376, part 3). */
const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

type Attributes = Readonly<Record<string, string>>;

/** Where an element is, and what its prefixes mean. */
export interface XmlContext {
  /** The local name of the element around it; '' for the root. */
  readonly parent: string;
  /** The value of the attribute with this local name in a namespace that ends so. */
  attribute(attributes: Attributes, namespaceEnd: string, name: string): string | undefined;
}

/**
 * Tells the elements of a part's own namespace, which is that of its root, from those of others: an extension may have
 * elements of the same local names.
 */
export class ElementNames implements XmlContext {
  #own: string | undefined;
  #namespaces: ReadonlyMap<string, string> = new Map();
  readonly #outer: (ReadonlyMap<string, string> | undefined)[] = [];
  /** The names that the elements around the present one have for those within. */
  readonly #path: string[] = [];
  readonly #isOwn: boolean[] = [];
  /** How many of the innermost elements are of no interest. */
  #foreign = 0;
  #local = new Map<string, string | undefined>();

  get parent(): string {
    return this.#path.at(-2) ?? '';
  }

  /** Whether the text here belongs to an element of the part's own namespace. */
  get hasText(): boolean {
    return this.#isOwn.at(-1) === true;
  }

  /** Goes into an element; its local name if it is one of the part's own. */
  enter(qualified: string, attributes: Attributes): string | undefined {
    this.#declare(attributes);
    const namespace = this.#namespaceOf(qualified);
    this.#own ??= namespace;
    if (this.#foreign > 0) return this.#push('', false);
    const name = this.#ownName(qualified, namespace);
    if (name !== undefined) return this.#push(name, true);
    // What others take instead stands for itself.
    const isTransparent = namespace === compatibility && !/(?:^|:)Choice$/.test(qualified);
    return this.#push(isTransparent ? (this.#path.at(-1) ?? '') : '', false, !isTransparent);
  }

  /** Leaves the innermost element, after its end was told; its local name if it is one of the part's own. */
  leaving(): string | undefined {
    return this.hasText ? this.#path.at(-1) : undefined;
  }

  left(): void {
    this.#path.pop();
    this.#isOwn.pop();
    if (this.#foreign > 0) this.#foreign -= 1;
    const outer = this.#outer.pop();
    if (outer === undefined) return;
    this.#namespaces = outer;
    this.#local = new Map();
  }

  attribute(attributes: Attributes, namespaceEnd: string, name: string): string | undefined {
    for (const [key, value] of Object.entries(attributes)) {
      const at = key.indexOf(':');
      if (at > 0 && key.slice(at + 1) === name && this.#namespaceOf(key).endsWith(namespaceEnd)) return value;
    }
    return undefined;
  }

  #push(name: string, isOwn: boolean, isForeign = this.#foreign > 0): string | undefined {
    this.#path.push(name);
    this.#isOwn.push(isOwn);
    if (isForeign) this.#foreign += 1;
    return isOwn ? name : undefined;
  }

  #declare(attributes: Attributes): void {
    let declared: Map<string, string> | undefined;
    for (const key in attributes) {
      if (!key.startsWith('xmlns')) continue;
      const prefix = key === 'xmlns' ? '' : key.charAt(5) === ':' ? key.slice(6) : undefined;
      if (prefix !== undefined)
        (declared ??= new Map(this.#namespaces)).set(prefix, attributes[key]?.trim() ?? '');
    }
    this.#outer.push(declared === undefined ? undefined : this.#namespaces);
    if (declared === undefined) return;
    this.#namespaces = declared;
    this.#local = new Map();
  }

  #namespaceOf(qualified: string): string {
    const at = qualified.indexOf(':');
    const prefix = at < 0 ? '' : qualified.slice(0, at);
    return this.#namespaces.get(prefix) ?? (prefix === '' ? '' : `undeclared:${prefix}`);
  }

  #ownName(qualified: string, namespace: string): string | undefined {
    if (this.#local.has(qualified)) return this.#local.get(qualified);
    const name = namespace === this.#own ? qualified.slice(qualified.indexOf(':') + 1) : undefined;
    this.#local.set(qualified, name);
    return name;
  }
}
