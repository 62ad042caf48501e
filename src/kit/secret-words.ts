/**
 * Words that announce a secret, in several languages: what stands beside them has no shape of its own to
 * be known by. For leaving a sentence alone, not for masking.
 */
export const secretWords =
  /\b(?:pass(?:word|phrase|code)s?|passwd|pwd|pin(?: code)?|cvv|cvc|otp|2fa|api[ -]?key|private key|secret key|access token|seed phrase|recovery (?:code|phrase)|passwort|mot de passe|contraseña)\b|密码|密碼|口令|验证码|驗證碼|私钥|暗証番号|パスワード|비밀번호|암호/iu;
