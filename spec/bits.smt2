; What src/native/row.h and contracts.h state of sets without a proof in C, proved of all words.
; A set has a bit for each site, space or kind; one of sites has but the lower half of the word.
; Each check must be unsatisfiable: z3 spec/bits.smt2

(define-sort Word () (_ BitVec 64))
(define-fun none () Word #x0000000000000000)
(define-fun one () Word #x0000000000000001)
(define-fun bit ((each Word)) Word (bvshl one each))
(define-fun is-of ((all Word) (each Word)) Bool (= (bvand (bvlshr all each) one) one))
(define-fun others ((all Word)) Word (bvand all (bvsub all one)))
(define-fun are-sites ((all Word)) Bool (bvule all #x00000000FFFFFFFF))

; Kinds of which a bag has a card: what kinds_in makes of eight counts, none above 128.
(define-fun not-zero ((word Word)) Word
  (let ((low #x7F7F7F7F7F7F7F7F))
    (bvlshr (bvmul (bvlshr (bvand (bvadd word low) (bvnot low)) #x0000000000000007) #x0102040810204080)
            #x0000000000000038)))
(define-fun number ((word Word) (place Word)) Word
  (bvand (bvlshr word (bvshl place #x0000000000000003)) #x00000000000000FF))
(define-fun is-number ((word Word) (place Word)) Bool (bvule (number word place) #x0000000000000080))

(declare-const all Word)
(declare-const other Word)
(declare-const each Word)
(declare-const first Word)
(declare-const site Word)
(assert (bvult each #x0000000000000040))

(define-fun is-first () Bool ; what __builtin_ctz finds
  (and (not (= all none)) (bvult first #x0000000000000040) (is-of all first)
       (= (bvand all (bvsub (bit first) one)) none)))

(echo "a set with members has a first")
(push)
(assert (not (= all none)))
(assert (not (exists ((found Word)) (and (bvult found #x0000000000000040) (is-of all found) (= (bvand all (bvsub (bit found) one)) none)))))
(check-sat)
(pop)

(echo "first_of_sites")
(push)
(assert is-first)
(assert (are-sites all))
(assert (bvuge first #x0000000000000020))
(check-sat)
(pop)

(echo "others_are_fewer")
(push)
(assert (not (= all none)))
(assert (not (bvult (others all) all)))
(check-sat)
(pop)

(echo "others_are_of")
(push)
(assert is-first)
(assert (not (= (is-of (others all) each) (and (is-of all each) (not (= each first))))))
(check-sat)
(pop)

(echo "none_before_first")
(push)
(assert is-first)
(assert (bvult each first))
(assert (is-of all each))
(check-sat)
(pop)

(echo "none_is_of")
(push)
(assert (is-of none each))
(check-sat)
(pop)

(echo "sites_are_below")
(push)
(assert (are-sites all))
(assert (bvuge each #x0000000000000020))
(assert (is-of all each))
(check-sat)
(pop)

(echo "with_site")
(push)
(assert (are-sites all))
(assert (bvult site #x0000000000000020))
(assert (not (= (is-of (bvor all (bit site)) each) (or (= each site) (is-of all each)))))
(check-sat)
(pop)

(echo "with_site, a byte")
(push)
(assert (bvule all #x00000000000000FF))
(assert (bvult site #x0000000000000008))
(assert (bvugt (bvor all (bit site)) #x00000000000000FF))
(check-sat)
(pop)

(echo "in_both")
(push)
(assert (not (= (is-of (bvand all other) each) (and (is-of all each) (is-of other each)))))
(check-sat)
(pop)

(echo "without")
(push)
(assert (not (= (is-of (bvand all (bvnot other)) each) (and (is-of all each) (not (is-of other each))))))
(check-sat)
(pop)

(echo "first_sites")
(push)
(assert (bvult site #x0000000000000020))
(assert (not (= (is-of (bvsub (bit site) one) each) (bvult each site))))
(check-sat)
(pop)

(echo "kinds_in")
(push)
(assert (is-number all #x0000000000000000))
(assert (is-number all #x0000000000000001))
(assert (is-number all #x0000000000000002))
(assert (is-number all #x0000000000000003))
(assert (is-number all #x0000000000000004))
(assert (is-number all #x0000000000000005))
(assert (is-number all #x0000000000000006))
(assert (is-number all #x0000000000000007))
(assert (bvult each #x0000000000000008))
(assert (= (is-of (not-zero all) each) (= (number all each) none)))
(check-sat)
(pop)

; That a set has one member less without its first, and one of sites has 32 at most, follows.
