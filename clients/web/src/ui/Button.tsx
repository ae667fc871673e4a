import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import './button.css';

export interface ButtonProps extends Omit<ButtonHTMLAttributes, 'size' | 'type' | 'disabled'> {
  /** `primary` is the one thing to do here; `quiet` has no border. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 'small' | 'normal' | 'large';
  type?: 'button' | 'submit';
  disabled?: boolean;
  children: ComponentChildren;
}

/** A button of the page's style; it does not submit a form unless told to. */
export function Button({ variant = 'secondary', size = 'normal', type = 'button', class: extra, ...rest }: ButtonProps) {
  return <button {...rest} type={type} class={`button button-${variant} button-${size} ${extra ?? ''}`} />;
}

/** A link that looks like a button, for going to another page. */
export function ButtonLink({ href, variant = 'secondary', onClick, children }: {
  href: string;
  variant?: ButtonProps['variant'];
  onClick?: () => void;
  children: ComponentChildren;
}) {
  return <a href={href} class={`button button-${variant} button-normal`} onClick={onClick}>{children}</a>;
}
