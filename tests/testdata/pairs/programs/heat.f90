! Spreads heat over a plate and sums its rows (pairs_eighth.toml).
module plate
  implicit none
  integer, parameter :: n = 72
contains
  subroutine smooth(row, count)
    integer, intent(in) :: count
    real(8), intent(inout) :: row(count)
    integer :: i
    do i = 2, count - 1
      row(i) = 0.25d0 * row(i - 1) + 0.5d0 * row(i) + 0.25d0 * row(i + 1)
    end do
  end subroutine smooth

  subroutine smooth_all(heat)
    real(8), intent(inout) :: heat(n, n)
    integer :: k
    do k = 1, n
#ifdef ALONG_ROWS
      call smooth(heat(k, :), n)
#else
      call smooth(heat(:, k), n)
#endif
    end do
  end subroutine smooth_all

  subroutine step(heat, next)
    real(8), intent(in) :: heat(n, n)
    real(8), intent(out) :: next(n, n)
    integer :: i, j
    next = heat
    do j = 2, n - 1
      do i = 2, n - 1
        next(i, j) = heat(i, j) + 0.1d0 * (heat(i - 1, j) + heat(i + 1, j) + heat(i, j - 1) + heat(i, j + 1) - 4 * heat(i, j))
      end do
    end do
  end subroutine step

  function warmth(heat) result(total)
    real(8), intent(in) :: heat(n, n)
    real(8) :: total
    integer :: i, j
    total = 0
    do j = 1, n
      do i = 1, n
        total = total + weight(i, j) * heat(i, j)
      end do
    end do
  end function warmth

  function weight(i, j) result(w)
    integer, intent(in) :: i, j
    real(8) :: w
    w = 1d0 + dble(mod(i * j, 7)) / 10d0
  end function weight
end module plate

program spread
  use plate
  implicit none
  real(8) :: heat(n, n), next(n, n)
  integer :: t, i, j
  do j = 1, n
    do i = 1, n
      heat(i, j) = dble(mod(i * 31 + j * 17, 101))
    end do
  end do
  do t = 1, 20
    call step(heat, next)
    heat = next
    if (mod(t, 4) == 0) call smooth_all(heat)
  end do
  print '(f14.4)', warmth(heat)
end program spread
